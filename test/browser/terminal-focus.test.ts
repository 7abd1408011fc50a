import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const FOCUSED = 'document.activeElement.closest("#screen") !== null';

/** Where typed keys go after something beside the screen was clicked. */
describe('the keyboard of the terminal', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;

  beforeEach(async () => {
    terminal = await TerminalPage.open(here.browser, named(here.site.url, '/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
  });

  afterEach(async () => {
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  const places: readonly (readonly [string, () => Promise<void>])[] = [
    ['the Keys', () => terminal.page.getByRole('button', { name: 'Keys', exact: true }).click()],
    ['the bar', () => terminal.page.locator('.bar').click({ position: { x: 400, y: 5 } })],
    ['the name in the bar', () => terminal.page.locator('.bar h1 span').click()],
    ['the margin', () => terminal.page.mouse.click(3, 400)],
    ['the line below the screen', () => terminal.page.locator('#information').click()],
    ['the place below everything', () => terminal.page.mouse.click(640, 795)],
  ];
  for (const [what, click] of places) {
    it(`stays there after a click on ${what}`, async () => {
      await terminal.type('de');
      await click();
      await terminal.type('mo');
      expect(await terminal.valueOf('Userid  . . . .')).to.equal('demo');
      expect(await terminal.page.evaluate(FOCUSED)).to.equal(true);
    });
  }

  it('is not lost where nothing has the focus', async () => {
    await terminal.page.evaluate('document.activeElement.blur()');
    expect(await terminal.page.evaluate('document.activeElement === document.body')).to.equal(true);
    await terminal.type('d');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('d');
    await terminal.page.evaluate('document.activeElement.blur()');
    await terminal.press('Tab');
    await terminal.type('secret');
    expect(await terminal.information()).to.include('10/037');
  });

  it('is left to whoever comes to a button by it, and to a dialog', async () => {
    await terminal.press('Alt+k', 'Enter');
    expect(await terminal.page.evaluate('document.activeElement.textContent')).to.equal('Keys');
    await terminal.page.getByRole('button', { name: 'PF24' }).waitFor();
    await terminal.page.locator('#macro-list').click();
    await terminal.page.getByRole('heading', { name: /^Macros \(/ }).click();
    await terminal.type('x');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('');
    await terminal.press('Escape');
    await terminal.type('y');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('y');
  });

  it('has the function keys on a button, too, and Esc leads back from there', async () => {
    await terminal.press('Alt+k', 'Escape');
    expect(await terminal.page.evaluate(FOCUSED)).to.equal(true);
    await terminal.press('Alt+k', 'F12');
    await eventually(() => terminal.submits.length > 0 || undefined);
    expect(terminal.submits[0]?.a).to.equal('PF12');
  });

  it('has the map of the settings: a Ctrl key by itself, one side each, and keys of the browser', async () => {
    const { page } = terminal;
    const keys = { keyMap: 'PCOMM', keys: { 'Ctrl+R': 'EraseInput', F5: 'Dup' } };
    await page.evaluate(`localStorage.setItem('sallyport-settings', ${JSON.stringify(JSON.stringify(keys))})`);
    await page.reload();
    await terminal.shows('Userid');
    await terminal.free();
    await terminal.type('demo');
    await page.evaluate('globalThis.isStillHere = true');
    await terminal.press('Control+r');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('');
    await terminal.press('F5');
    expect(await page.evaluate('globalThis.isStillHere')).to.equal(true);
    // with another key it is no Ctrl by itself
    await terminal.press('ControlRight+Home', 'Control+a');
    expect(terminal.submits).to.have.length(0);
    await terminal.press('ControlRight');
    await eventually(() => terminal.submits.length > 0 || undefined);
    expect(terminal.submits[0]?.a).to.equal('ENTER');
  });

  it('is asked of the browser whole in full screen, and goes on typing there', async () => {
    const { page } = terminal;
    const isFull = () => page.evaluate<boolean>('document.fullscreenElement !== null');
    await page.evaluate(`{
      globalThis.asked = [];
      // without TLS there is none
      const value = { lock: async (...keys) => asked.push(keys), unlock: () => asked.push('unlock') };
      Object.defineProperty(navigator, 'keyboard', { value });
    }`);
    await terminal.press('Alt+Enter');
    await terminal.says('All keys now go to the terminal.');
    expect(await isFull()).to.equal(true);
    await terminal.type('full');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('full');
    await terminal.press('Alt+Enter');
    // every key, until it is left
    await eventually(async () => (await page.evaluate('JSON.stringify(asked)')) === '[[],"unlock"]' || undefined);
    expect(await isFull()).to.equal(false);
    expect(terminal.submits).to.have.length(0);
  });

  it('leaves text beside the screen selected that a mouse has selected', async () => {
    const box = await terminal.page.locator('.bar h1 span').boundingBox();
    if (box === null) throw new Error('no box');
    await terminal.page.mouse.move(box.x + 1, box.y + box.height / 2);
    await terminal.page.mouse.down();
    await terminal.page.mouse.move(box.x + box.width + 5, box.y + box.height / 2);
    await terminal.page.mouse.up();
    expect(await terminal.page.evaluate('getSelection().toString()')).to.equal('TSO');
    await terminal.type('z');
    expect(await terminal.valueOf('Userid  . . . .')).to.equal('z');
  });
});
