import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';
import { type PlainSite, startUnencryptedSite } from './unencrypted-site.js';

/** The simulated host's option 6 sends double-byte text to a single-byte terminal. */
describe('a faulty record of the host, in Chromium', () => {
  let browser: Browser | undefined;
  let plain: PlainSite | undefined;
  let site: SessionSite | undefined;

  before(async function () {
    browser = await browserFor(this);
    plain = await startUnencryptedSite();
    site = await startTerminalSite();
  });

  after(async () => {
    await leaveBrowser();
    await plain?.stop();
    await site?.stop();
  });

  it('locks the keyboard until Reset, and says so', async () => {
    const terminal = await TerminalPage.atMenu(browser as Browser, named(site?.url ?? '', '/TERMINAL.HTML+MENU'));
    await terminal.type('6');
    await terminal.press('Enter');
    await terminal.says('X PROG 755', 'the host may have received your last input', 'press Reset (Esc)');
    await terminal.shows('Option ===> 6');
    await terminal.press('Home', 'Enter');
    await terminal.type('1');
    await terminal.says('X PROG 755');
    await terminal.shows('Option ===> 6 ');
    await terminal.press('Escape');
    await terminal.free();
    expect(await terminal.text()).to.include('Option ===> 6 ');
    await terminal.press('F3');
    await terminal.choose('2', 'ACCT');
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  it('is said without JavaScript, too', async () => {
    const url = named(plain?.url ?? '');
    const { page } = await TerminalPage.open(browser as Browser, url, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'PLAIN' }).click();
    await page.locator('input[type="text"]').first().fill('demo');
    await page.locator('input[type="password"]').first().fill('demo');
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await page.getByText('User . . : DEMO').waitFor();
    await page.locator('input[type="text"]').first().fill('6');
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await page.locator('#information').getByText('X PROG 755').waitFor();
    await page.context().close();
  });
});
