import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { violations } from './axe.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { SlowProxy } from './slow-proxy.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';
import { type PlainSite, startUnencryptedSite } from './unencrypted-site.js';

/** The page of the terminal as a form that is posted. */
describe('the terminal page as a form', () => {
  let browser: Browser | undefined;
  let plain: PlainSite | undefined;
  let site: SessionSite | undefined;
  let proxy: SlowProxy | undefined;

  before(async function () {
    browser = await browserFor(this);
    plain = await startUnencryptedSite();
    site = await startTerminalSite();
    proxy = await SlowProxy.before(site.url);
  });

  after(async () => {
    await leaveBrowser();
    await proxy?.stop();
    await plain?.stop();
    await site?.stop();
  });

  it('works without JavaScript, where passwords travel in clear', async () => {
    const options = { javaScriptEnabled: false };
    const { page } = await TerminalPage.open(browser as Browser, named(plain?.url ?? ''), options);
    await page.getByRole('link', { name: 'PLAIN' }).click();
    const [user, password] = [
      page.locator('input[type="text"]').first(),
      page.locator('input[type="password"]').first(),
    ];
    await user.fill('demo');
    await password.fill('wrong');
    await password.press('Enter');
    await page.getByText('Userid or password is not valid').waitFor();
    await page.locator('input[type="password"]').first().fill('demo');
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await page.getByText('User . . : DEMO').waitFor();
    await page.locator('input[type="text"]').fill('1');
    await page.locator('input[type="text"]').press('Enter');
    await page.getByText('Row 1 of 60').waitFor();
    await page.getByRole('button', { name: 'PF8', exact: true }).click();
    await page.getByText('Row 18 of 60').waitFor();
    await page.getByRole('button', { name: 'PF7', exact: true }).click();
    await page.getByText('Row 1 of 60').waitFor();
    await page.reload();
    await page.getByText('Row 1 of 60').waitFor();
    await page.getByRole('button', { name: 'PF3', exact: true }).click();
    await page.getByText('User . . : DEMO').waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('The session has ended.').waitFor();
    await page.context().close();
  });

  it('is what is left where WebSockets do not get through; passwords are encrypted all the same', async () => {
    if (proxy) proxy.refusesUpgrades = true;
    const terminal = await TerminalPage.open(browser as Browser, named(proxy?.url ?? '', '/TERMINAL.HTML+TSO'));
    const { page } = terminal;
    await page.locator('body:not(.live) input[type="password"]').first().waitFor();
    expect(await violations(page)).to.deep.equal([]);
    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await page.locator('#screen input[type="text"]').first().fill('anna');
    await page.locator('input[type="password"]').first().fill('geheim');
    await page.keyboard.press('Enter');
    await page.getByText('User . . : ANNA').waitFor();
    expect(bodies.join())
      .to.include('anna')
      .and.to.not.match(/geheim|67656865696d/i);
    await page.locator('#screen input[type="text"]').first().fill('4');
    await page.keyboard.press('Enter');
    await page.getByText('Colours and attributes').waitFor();
    await page.getByRole('button', { name: 'PF3', exact: true }).click();
    await page.getByText('User . . : ANNA').waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'Goodbye' }).waitFor();
    await terminal.close();
  });
});
