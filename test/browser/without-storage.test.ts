import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { startPortalSite } from '../support/portal-site.js';
import { MacroPage } from './macro-page.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, TerminalPage } from './terminal-page.js';

/** As Chromium has it where the data of sites are blocked: to name the storage is an error. */
const FORBIDDEN = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError'); } });`;

describe('a browser that keeps nothing for this site, in Chromium', () => {
  const here = siteInBrowser(() =>
    startPortalSite({ transactions: '      TSO: { applicationType: 1, application: SIM, page: TERMINAL.HTML }' }),
  );
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  async function newPage(): Promise<Page> {
    const context = await here.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    contexts.push(context);
    return context.newPage();
  }

  it('has a terminal that works, and says what is not kept', async () => {
    const page = await newPage();
    await page.addInitScript(FORBIDDEN);
    const terminal = new TerminalPage(page);
    const macros = new MacroPage(terminal);
    await page.goto(named(here.site.clientUrl, '/TERMINAL.HTML+TSO'));
    await terminal.signOn();
    await macros.recordButton.click();
    await terminal.says('This browser stores no data for this site: macros cannot be saved here.');
    await terminal.choose('2', 'ACCT');
    await macros.recordButton.click();
    await macros.dialog.getByLabel('Name').fill('look up');
    await macros.button('Save').click();
    await macros.dialog.getByText('does not allow it').waitFor();
    await macros.button('Cancel').click();
    await macros.button('Discard').click();
    await terminal.says('Nothing was stored.');
    await macros.openList();
    await macros.dialog.getByText('macros cannot be saved here.').waitFor();
    await terminal.press('Escape');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await macros.dialog.getByLabel('Blinking cursor', { exact: true }).check();
    await macros.button('Save').click();
    await page.getByText('They apply until you leave this page.').waitFor();
    await page.reload();
    await terminal.shows('ACCT');
    await terminal.free();
    expect(terminal.complaints).to.deep.equal([]);
  });

  for (const [place, url] of [
    ['an application', () => named(here.site.clientUrl, '/TERMINAL.HTML+TSO4')],
    ['the portal', () => named(here.site.portalUrl, '/')],
  ] as const) {
    it(`says before it is signed on to ${place} that this takes a cookie`, async () => {
      const page = await newPage();
      await page.goto(url());
      await page.getByRole('heading', { name: 'Sign on' }).waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setDocumentCookieDisabled', { disabled: true });
      await page.reload();
      await page.getByRole('alert').getByText('Signing on requires a cookie').waitFor();
    });
  }
});
