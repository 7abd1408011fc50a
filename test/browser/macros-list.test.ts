import { expect } from 'chai';
import { ALL_WIDTHS_LIMIT, faultsAtAllWidths } from './axe.js';
import { MacroPage } from './macro-page.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const LOOK_UP = [{ txt: '2' }, 'ENTER', { txt: '10000001' }, 'ENTER'];

describe('the list of macros in Chromium', () => {
  const here = siteInBrowser(startTerminalSite);
  let macros: MacroPage;
  let terminal: TerminalPage;

  const at = (path: string) => named(here.site.url, path);
  const atMenu = async () => {
    terminal = await TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+MENU'));
    macros = new MacroPage(terminal);
    await terminal.free();
  };

  afterEach(async () => {
    const { complaints } = terminal;
    await terminal.close();
    expect(complaints).to.deep.equal([]);
  });

  it('has macros that are edited, with problems by their line', async () => {
    await atMenu();
    await macros.store({ name: 'look up', def: [50, 'ENTER', { txt: '10000001' }, 'ENTER'] });
    await macros.openList();
    await macros.more('look up', 'Edit');
    const text = macros.dialog.getByLabel('One command on each line');
    expect(await text.inputValue()).to.equal('"2"\nkey(ENTER)\n"10000001"\nkey(ENTER)');
    await text.fill('"2"\nkey(enter)\nmove()');
    await macros.button('Save').click();
    await macros.dialog.getByText('Line 2: there is no key enter; did you mean ENTER?').waitFor();
    await macros.dialog.getByText('Line 3: move expects a position').waitFor();
    expect(await terminal.page.evaluate('getSelection().toString()')).to.equal('key(enter)');
    await text.fill('"2"\nkey(ENTER)\nmove(261)\n"10000003"\nkey(ENTER)');
    await terminal.press('Escape');
    await macros.button('Keep editing').click();
    await macros.button('Save').click();
    await macros.button('More about look up').waitFor();
    expect((await macros.stored()).macros).to.deep.equal([
      { name: 'look up', rev: 2, def: [{ txt: '2' }, 'ENTER', 'move(261)', { txt: '10000003' }, 'ENTER'] },
    ]);
    await macros.button('Run look up').click();
    await terminal.shows('KONRAD ZUSE');
  });

  it('has macros that are renamed, copied and deleted', async () => {
    await atMenu();
    await macros.store({ name: 'one', def: ['ENTER'] }, { name: 'two', def: ['PF3'] });
    await macros.openList();
    await macros.more('one', 'Rename, hot key');
    await macros.dialog.getByLabel('Name').fill('two');
    await macros.dialog.getByLabel('Hot key').selectOption('Ctrl +');
    await macros.dialog.getByLabel('Key', { exact: true }).selectOption('C');
    await macros.dialog.getByText('The terminal or the browser needs Ctrl+C.').waitFor();
    await macros.dialog.getByLabel('Key', { exact: true }).selectOption('F');
    await macros.dialog.getByText('Ctrl+F is used for').waitFor();
    await macros.button('Save').click();
    await macros.button('Cancel').click();
    await macros.dialog.getByLabel('Name').fill('first');
    await macros.button('Save').click();
    await macros.dialog.getByText('Ctrl+F', { exact: true }).waitFor();
    await macros.more('two', 'Save as');
    await macros.dialog.getByLabel('Name').fill('first');
    await macros.dialog.getByLabel('Hot key').selectOption('Ctrl +');
    await macros.dialog.getByLabel('Key', { exact: true }).selectOption('F');
    await macros.dialog.getByText('Ctrl+F is already the hot key of first.').waitFor();
    await macros.dialog.getByLabel('Hot key').selectOption('none');
    await macros.button('Save').click();
    await macros.button('Keep both').click();
    await macros.button('More about first (2)').waitFor();
    await macros.more('two', 'Delete');
    await macros.button('Cancel').click();
    await macros.more('two', 'Delete');
    await macros.button('Delete').click();
    await macros.button('More about two').waitFor({ state: 'detached' });
    expect((await macros.stored()).macros).to.deep.equal([
      { name: 'first', rev: 2, def: ['ENTER'], mapping: { key: 'ctrl', keycode: 70 } },
      { name: 'first (2)', rev: 1, def: ['PF3'] },
    ]);
  });

  it('has macros that are imported and merged, by a button and by dropping a file', async () => {
    await atMenu();
    await macros.store({ name: 'one', def: ['ENTER'] }, { name: 'two', def: ['PF3'] });
    await macros.openList();
    const file = (content: unknown) => ({
      name: 'macros.json',
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    });
    const choose = async (content: unknown) => {
      const [chooser] = await Promise.all([terminal.page.waitForEvent('filechooser'), macros.button('Import').click()]);
      await chooser.setFiles(file(content));
    };
    await choose('{"macros":');
    await macros.dialog.getByText('Nothing was imported: this is not JSON.').waitFor();
    await choose({ macros: [{ name: 'x', def: [null] }] });
    await macros.dialog.getByText('Nothing was imported: $.macros[0].def[0]: expected a string').waitFor();
    await choose({
      macros: [
        { name: 'one', rev: 1, def: ['ENTER'] },
        { name: 'two', rev: 5, def: [61, 'ENTER'] },
        { name: 'three', rev: 2, def: ['PF1'], mapping: { key: 'alt', keycode: 67 }, owner: 'x' },
      ],
    });
    await macros.button('Keep both').click();
    await macros.dialog.getByText('The macros of the file were imported. Hot keys omitted').waitFor();
    const drop = JSON.stringify({ macros: [{ name: 'dropped', rev: 1, def: ['PA1'] }] });
    await terminal.page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(drop)}], 'macros.json'));
      document.querySelector('dialog .groups').dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    }`);
    await macros.button('Run dropped').waitFor();
    expect((await macros.stored()).macros.slice(2)).to.deep.equal([
      { name: 'two (2)', rev: 5, def: [61, 'ENTER'] },
      { name: 'three', rev: 2, def: ['PF1'], owner: 'x' },
      { name: 'dropped', rev: 1, def: ['PA1'] },
    ]);
  });

  it('has macros that are not lost where they cannot be read', async () => {
    await atMenu();
    await terminal.page.evaluate("localStorage.setItem('sallyport-macros', '{}')");
    await terminal.page.reload();
    await terminal.shows('Option ===>');
    await macros.openList();
    await macros.dialog.getByText('The macros of this browser cannot be read.').waitFor();
    expect(await terminal.page.evaluate("localStorage.getItem('sallyport-macros-unreadable')")).to.equal('{}');
  });

  it('has macros that stay where there is no room to put aside what cannot be read', async () => {
    await atMenu();
    await terminal.page.addInitScript(`const setItem = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, text) {
        if (key.endsWith('unreadable')) throw new DOMException('full', 'QuotaExceededError');
        setItem.call(this, key, text);
      }`);
    await terminal.page.evaluate("localStorage.setItem('sallyport-macros', '{}')");
    await terminal.page.reload();
    await terminal.shows('Option ===>');
    await terminal.free();
    await macros.recordButton.click();
    await terminal.press('Enter');
    await terminal.free();
    await macros.recordButton.click();
    await macros.dialog.getByLabel('Name').fill('new');
    await macros.button('Save').click();
    await macros.dialog.getByText('The unreadable macros would be lost').waitFor();
    expect(await terminal.page.evaluate("localStorage.getItem('sallyport-macros')")).to.equal('{}');
  });

  it('has macros that another page saves while a question is open here', async () => {
    await atMenu();
    await macros.store({ name: 'one', def: ['ENTER'] }, { name: 'two', def: ['PF1'] });
    await macros.openList();
    await macros.more('one', 'Save as');
    await macros.dialog.getByLabel('Name').fill('two');
    await macros.button('Save').click();
    await macros.button('Keep both').waitFor();
    const other = await terminal.page.context().newPage();
    await other.goto(at('/favicon.ico'));
    await other.evaluate(`const set = JSON.parse(localStorage.getItem('sallyport-macros'));
      set.macros.push({ name: 'elsewhere', rev: 1, def: ['PA1'] });
      localStorage.setItem('sallyport-macros', JSON.stringify(set));`);
    await other.close();
    await macros.button('Keep both').click();
    // asked again, of what there is now
    await macros.button('Keep both').click();
    await macros.page.getByRole('heading', { name: /^Macros \(/ }).waitFor();
    await macros.button('Run two (2)').waitFor();
    expect((await macros.stored()).macros.map(({ name }) => name)).to.deep.equal([
      'one',
      'two',
      'elsewhere',
      'two (2)',
    ]);
  });

  it('has macros that are searched where there are more than 10', async () => {
    await atMenu();
    await macros.store(...Array.from({ length: 11 }, (_, number) => ({ name: `macro ${number}`, def: ['ENTER'] })));
    await macros.openList();
    await macros.dialog.getByRole('searchbox').fill('o 10');
    expect(await macros.dialog.getByRole('listitem').count()).to.equal(1);
    await macros.dialog.getByRole('searchbox').fill('zzz');
    await macros.dialog.getByText('No macro has this name.').waitFor();
  });

  it('has macros that the keyboard can reach', async () => {
    await atMenu();
    const button = terminal.page.getByRole('button', { name: 'Macros (this browser)' });
    expect(await button.getAttribute('aria-keyshortcuts')).to.equal('Alt+M');
    const fill = await terminal.page.evaluate("getComputedStyle(document.querySelector('#macro-list .icon')).fill");
    expect(fill, 'green').to.equal('rgb(10, 107, 44)');
    await terminal.press('Alt+m');
    await macros.dialog.getByText('No macros yet. Record one with the red button.').waitFor();
    await terminal.press('Escape');
    await macros.dialog.waitFor({ state: 'detached' });
    await terminal.type('2');
    expect(await terminal.valueOf('Option ===>')).to.match(/^2 /);
    await terminal.press('Alt+m');
    await tabTo('Record a macro');
    await terminal.press('Enter', 'Enter');
    await terminal.shows('ACCT');
    await terminal.free();
    await terminal.press('Alt+m');
    await tabTo('End the recording');
    await terminal.press('Enter');
    await terminal.type('accounts');
    await terminal.press('Enter');
    await terminal.says('The macro was saved');
    await terminal.press('F3');
    await terminal.shows('Option ===>');
    await terminal.free();
    await terminal.type('2');
    await terminal.press('Alt+m');
    await tabTo('Run accounts');
    await terminal.press('Enter');
    await terminal.shows('ACCT');
    await terminal.says('accounts was played');
    await terminal.type('10000001');
    expect(await terminal.valueOf('Account number . .')).to.equal('10000001');
  });

  it('has no fault that axe knows, and fits, dark and light, on a desk and on a phone', async () => {
    const options = { viewport: { width: 390, height: 740 } };
    terminal = await TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+MENU'), options);
    macros = new MacroPage(terminal);
    await macros.store(
      { name: 'look up', def: LOOK_UP, mapping: { key: 'ctrl', keycode: 76 } },
      { name: 'a macro with quite a long name that does not fit on the line of a phone', def: ['ENTER'] },
    );
    await macros.recordButton.click();
    await check('recording');
    await macros.recordButton.click();
    await macros.openList();
    await macros.button('More about look up').click();
    await check('list');
    await macros.button('Edit').click();
    await macros.dialog.getByLabel('One command on each line').fill('key(enter)');
    await macros.button('Save').click();
    await macros.dialog.getByText('Commands', { exact: true }).click();
    await check('editor');
    await macros.button('Cancel').click();
    await macros.button('Leave').click();
    await macros.more('look up', 'Rename, hot key');
    await check('name');
    await macros.button('Cancel').click();
    await macros.button('Close').click();
    await check('terminal');

    async function check(name: string): Promise<void> {
      expect(await faultsAtAllWidths(terminal.page, [1280, 390], 740), name).to.deep.equal([]);
    }
  }).timeout(ALL_WIDTHS_LIMIT);

  async function tabTo(name: string): Promise<void> {
    for (let tab = 0; tab < 20; tab++) {
      const words = await terminal.page.evaluate(
        'document.activeElement.ariaLabel ?? document.activeElement.textContent',
      );
      if (words === name) return;
      await terminal.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  }
});
