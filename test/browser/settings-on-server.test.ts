import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ANNA, startPortalSite } from '../support/portal-site.js';
import { siteInBrowser } from './site-in-browser.js';
import { TerminalPage } from './terminal-page.js';

describe('settings of users who have signed on, in Chromium', () => {
  const here = siteInBrowser(async () => {
    const site = await startPortalSite({
      crypts: '',
      entryPoint: '    terminalSettings: { defaults: { bell: true, crossHair: true }, locked: [crossHair] }',
    });
    return { ...site, url: site.clientUrl };
  });

  const open = async () => {
    const terminal = await TerminalPage.open(here.browser, new URL('/TERMINAL.HTML+TSO4', here.site.url).href);
    await terminal.page.locator('[name=USERID]').fill(ANNA.name);
    await terminal.page.locator('[name=PASSWORD]').fill(ANNA.password);
    await terminal.page.keyboard.press('Enter');
    await terminal.shows('Userid');
    await terminal.free();
    return terminal;
  };
  const theme = (terminal: TerminalPage) => terminal.page.evaluate('document.documentElement.dataset.theme');
  const choose = async ({ page }: TerminalPage, name: string, value: string) => {
    await page.keyboard.press('Control+,');
    await page.getByRole('combobox', { name, exact: true }).selectOption(value);
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await page.locator('dialog[open]').count()) === 0 || undefined);
  };

  it('are the same in every browser; what two change at once is kept, and what is locked says so', async () => {
    const first = await open();
    const second = await open();
    await choose(first, 'Colours', '3279');
    // it has not seen what the other has saved
    await choose(second, 'Cursor', 'bar');
    await eventually(async () => (await theme(second)) === '3279' || undefined);
    const third = await open();
    await eventually(async () => (await theme(third)) === '3279' || undefined);
    expect(await third.page.evaluate('document.documentElement.dataset.cursor')).to.equal('bar');
    await third.page.keyboard.press('Control+,');
    await third.page.getByText('Stored on the server').waitFor();
    const locked = third.page.getByLabel('Cross-hair through the cursor', { exact: true });
    expect([await locked.isDisabled(), await locked.isChecked()]).to.deep.equal([true, true]);
    expect(await third.page.getByText('Set by your administrator.').count()).to.equal(1);
    expect(await third.page.getByLabel('Sound the alarm of the host', { exact: true }).isChecked()).to.equal(true);
    // nobody can be asked: nothing is lost, and that is said
    await third.page.route('**/settings.json', (route) => route.abort());
    await third.page.getByLabel('Colours', { exact: true }).selectOption('light');
    await third.page.getByRole('button', { name: 'Save' }).click();
    await third.page.getByText('Not saved. The server cannot be reached.').waitFor();
    expect(await third.page.getByLabel('Colours', { exact: true }).inputValue()).to.equal('light');
    for (const terminal of [first, second, third]) await terminal.close();
  });

  it('canary: no password is in them, their export, the storage of the browser or the log', async () => {
    const canary = 'zQ7xKw9v';
    const terminal = await open();
    const { page } = terminal;
    await terminal.type('demo');
    await terminal.press('Tab');
    await terminal.type(canary);
    await choose(terminal, 'Cursor', 'underline');
    await page.keyboard.press('Control+,');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = readFileSync(await download.path(), 'utf8');
    expect(JSON.parse(exported)).to.deep.include({ cursorShape: 'underline' });
    await terminal.press('Escape');
    // the drawer is over what was typed, and takes nothing of it
    await terminal.press('Enter');
    await terminal.shows('Userid or password is not valid');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    const onServer = await page.evaluate<string>("fetch('/w2h/user/settings.json').then((answer) => answer.text())");
    expect(onServer).to.include('underline');
    for (const [where, text] of Object.entries({ exported, kept, onServer, log: here.site.log() })) {
      for (const secret of [canary, ANNA.password]) expect(text, where).to.not.include(secret);
    }
    await terminal.close();
  });

  it('are kept although the page is left at once', async () => {
    const terminal = await open();
    const size = async ({ page }: TerminalPage) =>
      page.evaluate("getComputedStyle(document.querySelector('.console')).getPropertyValue('--own-cell')");
    expect(await size(terminal)).to.equal('');
    await terminal.page.keyboard.press('Control++');
    const chosen = await size(terminal);
    expect(chosen).to.match(/^\d+px$/);
    // no time for what waits until the wheel has come to rest
    await terminal.page.goto('about:blank');
    await terminal.close();
    const later = await open();
    await eventually(async () => (await size(later)) === chosen || undefined);
    await later.close();
  });

  it('that are changed while others are saved are kept as well; what was not taken is tried again by the next page', async () => {
    const terminal = await open();
    const { page } = terminal;
    const onServer = async () =>
      JSON.parse(await page.evaluate<string>("fetch('/w2h/user/settings.json').then((answer) => answer.text())"));
    const attribute = (name: string) => page.evaluate(`document.documentElement.dataset.${name}`);
    const run = async (command: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /command/i }).fill(command);
      await page.keyboard.press('Enter');
      await eventually(async () => (await page.locator('dialog[open]').count()) === 0 || undefined);
    };
    let letThrough = () => {};
    const waits = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    let puts = 0;
    await page.route('**/settings.json', async (route) => {
      if (route.request().method() === 'PUT' && puts++ === 0) await waits;
      await route.continue();
    });
    await run('Colours: Solarized');
    await eventually(() => puts === 1 || undefined);
    await run('Cursor: Block');
    letThrough();
    await eventually(async () => {
      const { theme: shown, cursorShape } = await onServer();
      return (shown === 'solarized' && cursorShape === 'block') || undefined;
    });
    expect([await attribute('theme'), await attribute('cursor')]).to.deep.equal(['solarized', 'block']);
    await page.unroute('**/settings.json');
    await page.route('**/settings.json', (route) => route.abort());
    await run('Colours: Light');
    await terminal.says('Not saved. The server cannot be reached.');
    await page.goto('about:blank');
    await page.unroute('**/settings.json');
    await page.goto(new URL('/TERMINAL.HTML+TSO4', here.site.url).href);
    await eventually(async () => (await onServer()).theme === 'light' || undefined);
    await eventually(() =>
      page.evaluate("Object.keys(localStorage).every((key) => !key.includes('unsaved')) || undefined"),
    );
    await terminal.close();
  });
});
