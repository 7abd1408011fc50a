import { expect } from 'chai';
import { MacroPage } from './macro-page.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

/** Macros on another screen than the one that they were recorded on. */
describe('macros played elsewhere', () => {
  const here = siteInBrowser(startTerminalSite);

  for (const [what, def, words] of [
    ['a text', [{ txt: '10000001' }, 'ENTER'], 'step 1: nothing can be typed here. Expected: a field for 8 characters'],
    [
      'a key that changes a field',
      ['ErEof', 'ENTER'],
      'step 1: nothing can be typed here. Expected: a field for ErEof',
    ],
    [
      'a question',
      [{ txt: '', prompt: 'Password' }, 'ENTER'],
      'step 1: the cursor is not in a hidden field, so the macro did not ask. Expected: a hidden field',
    ],
    [
      'a part of a screen',
      ['copy(1,2,1,4)', 'paste(81)', 'ENTER'],
      'step 2: part of the text would be at a protected position. Expected: fields for the copied text',
    ],
  ] as const) {
    it(`stop at ${what} that meets protected text, say what was expected, and press nothing`, async () => {
      const terminal = await TerminalPage.atMenu(here.browser, named(here.site.url, '/TERMINAL.HTML+MENU'));
      const macros = new MacroPage(terminal);
      // it has no field to type into
      await terminal.choose('5', 'APL');
      await macros.store({ name: 'elsewhere', def });
      const keys = terminal.submits.length;
      await macros.run('elsewhere');
      await terminal.says(`elsewhere stopped at ${words}, at row `);
      expect(await terminal.information()).to.not.include('was played');
      expect(terminal.submits).to.have.length(keys);
      expect(terminal.complaints).to.deep.equal([]);
      await terminal.close();
    });
  }
});
