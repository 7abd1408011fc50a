import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { faultsAtAllWidths, violations } from './axe.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

describe('the settings of the terminal in Chromium', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;

  const open = async (options: Parameters<typeof TerminalPage.open>[2] = {}) => {
    terminal = await TerminalPage.open(here.browser, named(here.site.url, '/TERMINAL.HTML+TSO'), options);
    await terminal.shows('Userid');
    await terminal.free();
  };
  const openDrawer = async () => {
    await terminal.press('Control+,');
    await terminal.page.getByRole('heading', { name: 'Settings' }).waitFor();
  };
  const press = (name: string) => terminal.page.getByRole('button', { name, exact: true }).click();
  const theme = () => terminal.page.evaluate('document.documentElement.dataset.theme');
  const kept = async () =>
    JSON.parse(await terminal.page.evaluate("localStorage.getItem('sallyport-settings') ?? '{}'"));
  const isClosed = () =>
    eventually(async () => (await terminal.page.locator('dialog[open]').count()) === 0 || undefined);

  afterEach(async () => {
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  it('show what is changed at once, keep it with Save, and nothing with Cancel or Esc, which asks before', async () => {
    await open();
    await openDrawer();
    await terminal.page.getByLabel('Colours', { exact: true }).selectOption('classic');
    expect(await theme()).to.equal('classic');
    await press('Cancel');
    await isClosed();
    expect([await theme(), await kept()]).to.deep.equal([undefined, {}]);
    await openDrawer();
    await terminal.press('Escape');
    await isClosed();
    await openDrawer();
    await terminal.page.getByLabel('Colours', { exact: true }).selectOption('3279');
    await terminal.press('Escape');
    await terminal.page.getByText('The settings have changes.').waitFor();
    expect(await violations(terminal.page)).to.deep.equal([]);
    // what does no harm has the focus
    await terminal.press('Enter');
    expect(await theme()).to.equal('3279');
    expect(await terminal.page.getByLabel('Colours', { exact: true }).inputValue()).to.equal('3279');
    await terminal.press('Escape');
    await press('Leave');
    await isClosed();
    expect(await theme()).to.equal(undefined);
    // the keyboard is the terminal's again
    await terminal.type('x');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('x');
    await openDrawer();
    await terminal.page.getByLabel('Colours', { exact: true }).selectOption('own');
    await terminal.page.getByLabel('Background', { exact: true }).fill('#000033');
    await terminal.page.getByLabel('Blinking cursor', { exact: true }).check();
    await press('Save');
    await isClosed();
    await terminal.page.reload();
    await terminal.shows('Userid');
    expect(await theme()).to.equal('own');
    const { ownColours, cursorBlink } = await kept();
    expect([ownColours.background, cursorBlink]).to.deep.equal(['#000033', true]);
    await openDrawer();
    await press('Defaults');
    await press('Save');
    await isClosed();
    expect(await kept()).to.deep.equal({});
  });

  it('give an action a key that is pressed, by the keyboard alone; what it was for is told', async () => {
    await open();
    await openDrawer();
    const { page } = terminal;
    await page.getByText('Keys of your own').focus();
    await terminal.press('Enter', 'Tab');
    await terminal.type('erase input');
    await page.getByRole('button', { name: 'Add a key for Erase input' }).focus();
    await terminal.press('Enter', 'Control+r');
    await page.getByText('Ctrl+R is now used for “Erase input”.').waitFor();
    // the focus is where it was, for the next key; Esc is a key as others are
    await terminal.press('Enter', 'Escape');
    await page.getByText('Esc is already used for “Reset”.').waitFor();
    await terminal.press('Tab', 'Enter');
    await terminal.press('Enter', 'a');
    await page.getByText('A key that types a character cannot be assigned.').waitFor();
    await terminal.press('Enter', 'ControlRight');
    await page.getByText('right Ctrl is now used for “Erase input”.').waitFor();
    await page.getByLabel('Search actions and keys', { exact: true }).fill('move focus');
    await press('Remove Alt+K from Move focus to the buttons');
    await page.getByText('this key is the only way to leave the screen').waitFor();
    await press('Save');
    await isClosed();
    expect(await kept()).to.deep.equal({ keyMap: 'PC', keys: { 'Ctrl+R': 'EraseInput', ControlRight: 'EraseInput' } });
    await terminal.type('demo');
    await terminal.press('ControlRight');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('');
  });

  it('wait for the key of the action that was clicked last; where no more keys fit, none waits', async () => {
    await open();
    const most = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Ctrl+F${at + 30}`, 'Reset']));
    await terminal.page.evaluate(`localStorage.setItem('sallyport-settings', '${JSON.stringify({ keys: most })}')`);
    await terminal.page.reload();
    await terminal.shows('Userid');
    await openDrawer();
    const { page } = terminal;
    const waiting = page.locator('.add.waiting');
    await page.getByText('Keys of your own').click();
    await page.getByLabel('Search actions and keys', { exact: true }).fill('PA');
    await page.getByRole('button', { name: 'Add a key for PA1' }).click();
    await page.getByRole('button', { name: 'Press the key for PA1.' }).waitFor();
    const other = await page.getByRole('button', { name: 'Add a key for PA3' }).boundingBox();
    await page.mouse.click((other?.x ?? 0) + 5, (other?.y ?? 0) + 5);
    await page.getByRole('button', { name: 'Press the key for PA3.' }).waitFor();
    expect(await waiting.count()).to.equal(1);
    // whoever goes elsewhere is asked for no key any more
    await page.getByLabel('Search actions and keys', { exact: true }).click();
    await waiting.waitFor({ state: 'detached' });
    expect(await page.getByText('Press the key for PA3.').count()).to.equal(0);
    await page.getByRole('button', { name: 'Add a key for PA3' }).press('Enter');
    await terminal.press('Control+Shift+y');
    await page.getByText('There is no room for more keys of your own.').waitFor();
    expect(await waiting.count()).to.equal(0);
    expect(await page.evaluate('document.activeElement.ariaLabel')).to.equal('Add a key for PA3');
    await press('Cancel');
    await isClosed();
  });

  it('have other keys for an application', async () => {
    await open();
    await openDrawer();
    await terminal.page.getByLabel('Other keys for TSO', { exact: true }).check();
    await terminal.page.getByLabel('Key map', { exact: true }).selectOption('PCOMM');
    await press('Save');
    await isClosed();
    expect(await kept()).to.deep.equal({ applicationKeys: { TSO: { keyMap: 'PCOMM', keys: {} } } });
    await terminal.press('ControlRight');
    await eventually(() => terminal.submits.length > 0 || undefined);
  });

  it('go into a file, and come out of one, also of x3270', async () => {
    await open();
    await openDrawer();
    const { page } = terminal;
    const importing = async (name: string, text: string) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Import')]);
      await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    };
    await importing('x', 'Ctrl<Key>r: Reset()\\n\\\n<Key>F5: Quit()');
    await page.getByText('1 key imported.').waitFor();
    await page.getByText('Line 2, <Key>F5: Quit(): there is no such action here').waitFor();
    await importing('y', '{"theme":"solarized","shoes":1}');
    await page.getByText('1 setting imported.').waitFor();
    await page.getByText('shoes: there is no such setting').waitFor();
    expect(await theme()).to.equal('solarized');
    for (const [text, told] of [
      ['{', 'this is not JSON'],
      ['hello', 'it has no settings'],
      [`{"a":"${'x'.repeat(65_536)}"}`, 'the file is larger than 64 kB'],
    ] as const) {
      await importing('z', text);
      await page.getByText(told).waitFor();
    }
    expect(await theme()).to.equal('solarized');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export')]);
    expect(download.suggestedFilename()).to.equal('sallyport-settings.json');
    const expected = { keys: { 'Ctrl+R': 'Reset' }, theme: 'solarized' };
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).to.deep.equal(expected);
    await press('Save');
    await isClosed();
    expect(await kept()).to.deep.equal(expected);
  });

  it('are kept together where two pages of a browser change them, the keys of one’s own, too', async () => {
    await open();
    const other = new TerminalPage(await terminal.page.context().newPage());
    await other.page.goto(terminal.page.url());
    await other.page.evaluate(`localStorage.setItem('sallyport-settings', '{"keys":{"Ctrl+R":"Reset"}}')`);
    await eventually(() => terminal.page.evaluate("localStorage.getItem('sallyport-settings') !== null || undefined"));
    await openDrawer();
    await terminal.page.getByLabel('Colours', { exact: true }).selectOption('classic');
    await other.page.evaluate(
      `localStorage.setItem('sallyport-settings', '{"keys":{"Ctrl+R":"Reset","Ctrl+Y":"Clear"},"crossHair":true}')`,
    );
    const [chooser] = await Promise.all([terminal.page.waitForEvent('filechooser'), press('Import')]);
    await chooser.setFiles({ name: 'x', mimeType: 'text/plain', buffer: Buffer.from('Ctrl<Key>t: Reset()') });
    await terminal.page.getByText('1 key imported.').waitFor();
    await press('Save');
    await isClosed();
    expect(await kept()).to.deep.equal({
      keys: { 'Ctrl+R': 'Reset', 'Ctrl+Y': 'Clear', 'Ctrl+T': 'Reset' },
      theme: 'classic',
      crossHair: true,
    });
    // what waits to be kept while another page writes
    await terminal.press('Control++');
    await other.page.evaluate(`localStorage.setItem('sallyport-settings', '{"bell":true}')`);
    await eventually(async () => (await kept()).fontSize !== undefined || undefined);
    expect(Object.keys(await kept())).to.have.members(['bell', 'fontSize']);
    await other.page.close();
  });

  it('that the browser has no room for, or too many, are told, and leave what was there', async () => {
    await open();
    const before = '{"crossHair":true}';
    await terminal.page.evaluate(`localStorage.setItem('sallyport-settings', '${before}')`);
    await terminal.page.evaluate(`const setItem = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, text) {
        if (key === 'sallyport-settings') throw new DOMException('full', 'QuotaExceededError');
        setItem.call(this, key, text);
      };
      window.makeRoom = () => { Storage.prototype.setItem = setItem; };`);
    await terminal.press('Control++');
    await terminal.says('Not saved. The browser has no room for them');
    await openDrawer();
    await terminal.page.getByLabel('Colours', { exact: true }).selectOption('classic');
    await press('Save');
    await terminal.page.getByRole('alert').getByText('Not saved. The browser has no room for them').waitFor();
    expect(await terminal.page.evaluate("localStorage.getItem('sallyport-settings')")).to.equal(before);
    await terminal.page.evaluate('makeRoom()');
    const applicationKeys = Object.fromEntries(
      Array.from({ length: 8 }, (_, number) => [
        `APPLICATION${number}`,
        { keyMap: 'PC', keys: Object.fromEntries(Array.from({ length: 120 }, (_, key) => [`Ctrl+F${key}x`, 'Reset'])) },
      ]),
    );
    const [chooser] = await Promise.all([terminal.page.waitForEvent('filechooser'), press('Import')]);
    const buffer = Buffer.from(JSON.stringify({ applicationKeys }));
    await chooser.setFiles({ name: 'x.json', mimeType: 'application/json', buffer });
    await terminal.page.getByText('1 setting imported.').waitFor();
    await press('Save');
    await terminal.page.getByText('These settings have more than').waitFor();
    expect(await terminal.page.evaluate("localStorage.getItem('sallyport-settings')")).to.equal(before);
    await press('Defaults');
    await terminal.page.getByLabel('Colours', { exact: true }).selectOption('3279');
    await press('Save');
    await isClosed();
    expect((await kept()).theme).to.equal('3279');
  });

  it('have what is typed while the host is at work ignored, where the user wants that', async () => {
    await open();
    await terminal.page.evaluate('localStorage.setItem(\'sallyport-settings\', \'{"typeAhead":false,"bell":true}\')');
    await terminal.page.reload();
    await terminal.signOn();
    await terminal.choose('8', 'LATE');
    await terminal.type('1');
    await terminal.press('Enter');
    await terminal.says('X SYSTEM');
    await terminal.type('0.5');
    await terminal.press('Enter');
    expect(await terminal.information()).to.not.include('typed ahead');
    await terminal.shows('That took 1 seconds');
    await terminal.free();
    expect(await terminal.valueOf('Seconds . . .')).to.equal('');
  });

  it('have no fault that axe knows, and fit, dark and light, on a desk and on a phone', async () => {
    await open({ viewport: { width: 1024, height: 740 } });
    await openDrawer();
    await terminal.page.getByText('Keys of your own').click();
    await press('Add a key for PA1');
    await terminal.press('Escape');
    for (const width of [1024, 390]) {
      expect(await faultsAtAllWidths(terminal.page, [width], 740)).to.deep.equal([]);
      const overhang = await terminal.page.evaluate(
        "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth",
      );
      expect(overhang, `${width} pixels wide`).to.be.at.most(0);
    }
  });
});
