import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { needCommand } from '../support/need.js';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';
import { violations } from './axe.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { startTerminalSite } from './terminal-page.js';
import { type PlainSite, startUnencryptedSite } from './unencrypted-site.js';

const SECRET = 'secret99';

/** Pages whose passwords are encrypted by a script, in a Chromium that runs none. */
describe('pages without JavaScript', () => {
  let browser: Browser | undefined;
  let site: SessionSite | undefined;
  let portal: PortalSite | undefined;
  let plain: PlainSite | undefined;

  before(async function () {
    browser = await browserFor(this);
    needCommand(this, 'openssl');
    site = await startTerminalSite();
    portal = await startPortalSite();
    plain = await startUnencryptedSite();
  });

  after(async () => {
    await leaveBrowser();
    await site?.stop();
    await portal?.stop();
    await plain?.stop();
  });

  async function open(url: string, cookie = ''): Promise<{ page: Page; bodies: string[] }> {
    const context = await browser?.newContext({ javaScriptEnabled: false });
    if (context === undefined) throw new Error('no browser');
    const cookies = cookie.split('; ').flatMap((one) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(one) ?? [];
      return name === '' ? [] : [{ name, value, url: new URL(url).origin }];
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await page.goto(url);
    return { page, bodies };
  }

  /** The page says so above its password fields, and whatever gets into them goes nowhere. */
  async function expectNoPassword({ page, bodies }: { page: Page; bodies: string[] }, words: RegExp): Promise<void> {
    const passwords = page.locator('input[type="password"]');
    expect(await passwords.count()).to.be.greaterThan(0);
    for (const password of await passwords.all()) expect(await password.isDisabled()).to.equal(true);
    const said = page.getByText(words);
    expect(await said.isVisible()).to.equal(true);
    const [above, below] = [await said.boundingBox(), await passwords.first().boundingBox()];
    expect(above?.y).to.be.lessThan(below?.y ?? 0);
    // as a password manager might
    await page.evaluate(`for (const input of document.querySelectorAll('[type=password]')) input.value = '${SECRET}'`);
    const left = page.waitForRequest((request) => request.method() === 'POST');
    await page.evaluate(`{ const { form } = document.querySelector('[type=password]');
      form.noValidate = true; form.requestSubmit(); }`);
    await left;
    expect(bodies.filter((body) => body !== '')).to.have.length(1);
    expect(bodies.join()).to.not.include(SECRET);
    await page.context().close();
  }

  for (const transaction of ['TSO', 'NULL']) {
    for (const name of ['TERMINAL.HTML', 'SIGNON.HTML']) {
      it(`${name} takes no password for ${transaction}, and says so`, async () => {
        const words = /encrypted by JavaScript, which this browser does not run/;
        await expectNoPassword(await open(`${site?.url}/${name}+${transaction}`), words);
      });
    }
  }

  it('the sign-on form of the line takes none, and says so', async () => {
    const opened = await open(`${portal?.clientUrl}/TERMINAL.HTML+TSO4`);
    expect(await opened.page.getByLabel('User ID').isDisabled()).to.equal(true);
    await expectNoPassword(opened, /signing on here is not possible/);
    await expectNoPassword(await open(`${portal?.portalUrl}/`), /signing on here is not possible/);
  });

  it('the forms of the portal that set passwords take none, and say so', async () => {
    const administrator = new SignOnClient(portal?.portalUrl ?? '');
    await administrator.signOn('/', ADMINISTRATOR.name, ADMINISTRATOR.password);
    for (const path of ['/new/user', '/users/ANNA/password']) {
      const words =
        /Passwords cannot be set here, because this browser does not run the JavaScript that encrypts them./;
      await expectNoPassword(await open(`${portal?.portalUrl}${path}`, administrator.cookie), words);
    }
  });

  it('says nothing of the kind where there is no CRYPTn, and signs on', async () => {
    const { page } = await open(`${plain?.url}/SIGNON.HTML+PLAIN`);
    expect(await page.getByText('JavaScript').count()).to.equal(0);
    await page.getByLabel('User ID').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Sign on' }).click();
    await page.waitForLoadState();
    const { page: terminal } = await open(`${plain?.url}/TERMINAL.HTML+PLAIN`);
    expect(await terminal.getByText('Passwords are encrypted').count()).to.equal(0);
    expect(await terminal.locator('input[type="password"]').first().isEnabled()).to.equal(true);
  });

  it('have nothing disabled where the script runs', async () => {
    for (const path of [`${site?.url}/SIGNON.HTML+TSO`, `${portal?.clientUrl}/TERMINAL.HTML+TSO4`]) {
      const page = await (await browser?.newContext())?.newPage();
      if (page === undefined) throw new Error('no browser');
      await page.goto(path);
      await page.locator('input[type="password"]:enabled').waitFor();
      expect(await page.locator('input:disabled').count()).to.equal(0);
      expect(await violations(page)).to.deep.equal([]);
      await page.context().close();
    }
  });
});
