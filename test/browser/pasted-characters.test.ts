import { expect } from 'chai';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

/** Text from a word processor, pasted into a terminal of a host with code page 37. */
describe('pasted characters that the host lacks', () => {
  const here = siteInBrowser(startTerminalSite);

  it('are counted and named; Alt+V pastes the text with what usually replaces them', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, named(here.site.url, '/TERMINAL.HTML+MENU'));
    await terminal.choose('3', 'FORM');
    await terminal.press('Tab', 'Tab', 'Tab');
    const paste = (text: string) =>
      terminal.page.evaluate(`{
        const data = new DataTransfer();
        data.setData('text/plain', ${JSON.stringify(text)});
        const how = { clipboardData: data, bubbles: true, cancelable: true };
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', how));
      }`);
    await paste('“first” – 2');
    await terminal.says('Nothing was pasted: the host’s code page lacks 3 characters of the text: “ ” –.');
    await terminal.says('Alt+V pastes the text with “ → ", ” → ", – → -.');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('');
    await terminal.press('Alt+v');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('"first" - 2');
    await terminal.press('Control+z');
    await paste('good 😀');
    await terminal.says('lacks 1 character of the text: 😀.');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('');
    // typed, it is refused at once
    await terminal.page.keyboard.insertText('“');
    await terminal.says('X -f');
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });
});
