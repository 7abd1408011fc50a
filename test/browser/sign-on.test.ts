import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { makeCertificate } from '../support/certificate.js';
import { needCommand } from '../support/need.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';
import { type PlainSite, startUnencryptedSite } from './unencrypted-site.js';

/** How a password may travel: what stands for `geheim` in the submit, and the session key beside it. */
interface WireForm {
  readonly mode: string;
  readonly transaction: string;
  /** `anna` on a page of its own; the terminal does not know which field is a user id. */
  readonly user: RegExp;
  readonly password: RegExp;
  readonly key: RegExp;
  readonly isSecret?: boolean;
}
const NO_KEY = /^$/;
const forms: readonly WireForm[] = [
  { mode: 'in clear', transaction: 'PLAIN', user: /^anna$/, password: /^geheim$/, key: NO_KEY },
  { mode: 'in the null mode', transaction: 'NULL', user: /^616E6E61$/, password: /^67656865696D$/, key: NO_KEY },
  {
    mode: '3TDEA under RSA-1024',
    transaction: 'TSO',
    user: /^[0-9a-f]{16}$/,
    password: /^[0-9a-f]{16}$/,
    key: /^[0-9a-f]{256}$/,
    isSecret: true,
  },
  {
    mode: 'AES-256-GCM under RSA-OAEP-2048',
    transaction: 'GCM',
    // nonce 12, text 4 or 6, tag 16
    user: /^[0-9a-f]{64}$/,
    password: /^[0-9a-f]{68}$/,
    key: /^[0-9a-f]{512}$/,
    isSecret: true,
  },
];
const readable = /geheim|67656865696d/i;

describe('sign-on in Chromium', () => {
  let browser: Browser | undefined;
  const sites = new Map<string, PlainSite>();
  let secure: SessionSite | undefined;

  before(async function () {
    browser = await browserFor(this);
    needCommand(this, 'openssl');
    // the pages ask for the encryption that the transaction is configured with
    sites.set('PLAIN', await startUnencryptedSite());
    for (const transaction of ['NULL', 'TSO', 'GCM']) {
      const crypt = { NULL: 'CRYPTNULL', GCM: 'CRYPTGCM' }[transaction] ?? 'CRYPT3270';
      sites.set(transaction, await startTerminalSite({ replace: [['CRYPT3270', crypt]] }));
    }
    const { cert, key } = makeCertificate();
    secure = await startTerminalSite({ line: `tls: { cert: '${cert}', key: '${key}' }` });
  });

  after(async () => {
    await leaveBrowser();
    for (const site of [...sites.values(), secure]) await site?.stop();
  });

  const open = (url: string) => TerminalPage.open(browser as Browser, url, { ignoreHTTPSErrors: true });

  function expectWire(form: WireForm, user: unknown, password: unknown, key: unknown, everything: string): void {
    expect(user).to.match(form.user);
    expect(password).to.match(form.password);
    expect(key).to.match(form.key);
    if (form.isSecret) expect(everything).to.not.match(readable);
    if (form.user.source !== '^anna$') expect(everything).to.not.match(/anna/i);
  }

  for (const form of forms) {
    it(`at the terminal, ${form.mode}`, async () => {
      const opened = await open(named(sites.get(form.transaction)?.url ?? '', `/TERMINAL.HTML+${form.transaction}`));
      expect(await opened.page.evaluate('[isSecureContext, crypto.subtle === undefined]')).to.deep.equal([false, true]);
      await opened.signOn('anna', 'geheim');
      const [{ f = {}, s = '' } = {}] = opened.submits as { f?: Record<string, string>; s?: string }[];
      const [user, password, ...others] = Object.values(f);
      expect(others).to.deep.equal([]);
      expectWire({ ...form, user: /^anna$/ }, user, password, s, opened.sent.join());
      expect(await opened.text()).to.include('User . . : ANNA');
      expect(opened.complaints).to.deep.equal([]);
      await opened.close();
    });

    it(`at the page of its own, ${form.mode}`, async () => {
      const opened = await open(named(sites.get(form.transaction)?.url ?? '', `/SIGNON.HTML+${form.transaction}`));
      const { page } = opened;
      const posted = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByLabel('User ID').fill('anna');
      await page.getByLabel('Password').fill('geheim');
      await page.getByRole('button', { name: 'Sign on' }).click();
      const body = (await posted).postData() ?? '';
      const fields = new URLSearchParams(body);
      expectWire(form, fields.get('USERID'), fields.get('PASSWORD'), fields.get('SESSKEY'), body);
      await opened.shows('Option ===>', 'User . . : ANNA');
      expect(page.url()).to.include('TERMINAL.HTML++SvcSession=');
      expect(opened.complaints).to.deep.equal([]);
      await opened.close();
    });
  }

  it('over TLS, with a WebSocket over TLS', async () => {
    const opened = await open(named(secure?.url ?? '', '/TERMINAL.HTML+TSO'));
    const sockets: string[] = [];
    opened.page.on('websocket', (socket) => sockets.push(socket.url()));
    await opened.page.reload();
    await opened.signOn();
    expect(await opened.page.evaluate('isSecureContext')).to.equal(true);
    expect(sockets[0]).to.match(/^wss:\/\/host\.test/);
    await opened.page.goto(named(secure?.url ?? '', '/SIGNON.HTML+TSO'));
    await opened.page.getByLabel('User ID').fill('demo');
    await opened.page.getByLabel('Password').fill('demo');
    await opened.press('Enter');
    await opened.shows('Option ===>', 'User . . : DEMO');
    expect(opened.complaints).to.deep.equal([]);
    await opened.close();
  });

  it('by roles and names alone, also over what was typed before', async () => {
    const opened = await open(named(sites.get('TSO')?.url ?? '', '/TERMINAL.HTML+TSO'));
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Userid' }).fill('somebody else');
    expect(await opened.valueOf('Userid  . . . .')).to.equal('somebody');
    await page.getByRole('textbox', { name: 'Userid' }).fill('demo');
    expect(await opened.valueOf('Userid  . . . .')).to.equal('demo');
    await page.getByLabel('Password', { exact: true }).fill('demo');
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await opened.shows('User . . : DEMO');
    await page.getByRole('textbox', { name: 'Option' }).fill('4');
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await opened.shows('COLOURS');
    await page.getByRole('button', { name: 'PF3', exact: true }).click();
    await opened.shows('Option ===>');
    await opened.close();
  });

  it('by the keyboard alone, from the menu to the last page', async () => {
    const opened = await open(named(sites.get('TSO')?.url ?? ''));
    const { page } = opened;
    await opened.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.match(/^Simulated hostTSO on SIM/);
    await opened.press('Enter');
    await opened.signOn('anna', 'geheim');
    await opened.shows('User . . : ANNA');
    // the screen keeps the Tab key, and this is the way out
    await opened.press('Tab', 'Tab', 'Alt+k');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Keys');
    await opened.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Disconnect');
    await opened.press('Enter');
    await page.getByRole('dialog').waitFor();
    await opened.press('Shift+Tab', 'Enter');
    await page.getByRole('heading', { name: 'Goodbye' }).waitFor();
    expect(opened.complaints).to.deep.equal([]);
    await opened.close();
  });

  it('says what is wrong with a wrong password, in the words of the host', async () => {
    const opened = await open(named(sites.get('TSO')?.url ?? '', '/TERMINAL.HTML+TSO'));
    await opened.shows('Userid');
    await opened.type('anna');
    await opened.press('Tab');
    await opened.type('wrong');
    await opened.press('Enter');
    await opened.shows('Userid or password is not valid');
    await opened.free();
    await opened.type('geheim');
    await opened.press('Enter');
    await opened.shows('User . . : ANNA');
    await opened.page.goto(named(sites.get('TSO')?.url ?? '', '/SIGNON.HTML+TSO'));
    // the form has the keyboard, and keeps it
    await opened.page.locator('input[name="USERID"]:focus').waitFor();
    await opened.type('anna');
    await opened.press('Tab');
    await opened.type('wrong');
    // pressed once more, and held down, while it is on its way
    let posts = 0;
    await opened.page.route('**/*', async (route) => {
      if (route.request().method() === 'POST' && posts++ === 0) {
        await opened.press('Enter', 'Enter');
        await opened.page.getByRole('button', { name: 'Sign on' }).click();
      }
      await route.continue();
    });
    await opened.press('Enter');
    await opened.alert.getByText('Userid or password is not valid').waitFor();
    await opened.page.unroute('**/*');
    expect(posts).to.equal(1);
    const password = opened.page.getByLabel('Password');
    expect(await opened.page.getByLabel('User ID').inputValue()).to.equal('anna');
    expect(await password.inputValue()).to.equal('');
    expect(await opened.page.evaluate('document.activeElement.name')).to.equal('PASSWORD');
    expect(await password.getAttribute('aria-invalid')).to.equal('true');
    await opened.type('geheim');
    await opened.press('Enter');
    await opened.shows('User . . : ANNA');
    await opened.close();
  });

  it('sends no password where the page asks for an encryption that nobody knows', async () => {
    const site = await startTerminalSite({ replace: [['{{{ENCRYPTION-PARAMETERS "CRYPT3270"}}}', 'nonsense']] });
    try {
      for (const address of ['/SIGNON.HTML+TSO', '/TERMINAL.HTML+TSO']) {
        const opened = await open(named(site.url, address));
        const bodies: string[] = [];
        opened.page.on('request', (request) => bodies.push(request.postData() ?? ''));
        await opened.page.locator('input[type="text"], input:not([type])').first().fill('demo');
        await opened.page.locator('input[type="password"]').first().fill('secret99');
        await opened.press('Enter');
        await opened.alert.getByText('CRYPT parameters are missing').waitFor();
        expect([...bodies, ...opened.sent].join(), address).to.not.include('secret99');
        await opened.close();
      }
    } finally {
      await site.stop();
    }
  });
});
