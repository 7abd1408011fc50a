import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserFor, leaveBrowser } from '../browser/shared-browser.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { makeCertificate } from '../support/certificate.js';
import { CookieClient } from '../support/cookie-client.js';
import { needCommand } from '../support/need.js';
import { ANNA, startPortalSite } from '../support/portal-site.js';

const OPENING = '/WEB2SUB.HTML+CLEAR';
const BY_COOKIE = '/WEB2SUB.HTML++$UseCookieSession$';

/** Each session has a cookie of its own: whoever plants one in a browser gets at no session that the browser begins. */
describe('cookies of sessions', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite();
  });

  after(() => site?.stop());

  const actionIn = (text: string) => (JSON.parse(text) as { action: string }).action;

  it('planted in a browser open no session that it begins', async () => {
    const attacker = new CookieClient(site.url);
    const own = await attacker.open(OPENING);
    const victim = new CookieClient(site.url);
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    const begun = await victim.open(OPENING);
    expect((await victim.get(begun)).status).to.equal(200);
    expect(actionIn((await attacker.get(BY_COOKIE)).text)).to.equal(own);
    expect((await attacker.get(begun)).status, 'with the code, and the planted cookie').to.equal(404);
  });

  it('let a browser have several sessions, also ones that it begins at once', async () => {
    const browser = new CookieClient(site.url);
    const actions = [await browser.open(OPENING)];
    actions.push(...(await Promise.all(Array.from({ length: 5 }, () => browser.open(OPENING)))));
    expect(browser.cookies.size).to.equal(6);
    expect(new Set(browser.cookies.values()).size).to.equal(6);
    for (const action of [...actions, ...actions]) expect((await browser.get(action)).status).to.equal(200);
    const newest = await browser.open(OPENING);
    expect(actionIn((await browser.get(BY_COOKIE)).text)).to.equal(newest);
  });

  it('go with their session', async () => {
    const browser = new CookieClient(site.url);
    const [first, second] = [await browser.open(OPENING), await browser.open(OPENING)];
    const { status, set } = await browser.post(first, { pf: 'DISCONNECT' });
    expect([status, set.length]).to.deep.equal([200, 1]);
    expect(set[0]).to.match(/^SvcSession-[\w-]{8}=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    expect(browser.cookies.size).to.equal(1);
    expect((await browser.get(second)).status).to.equal(200);
  });

  it('that are left over are withdrawn past 16, the oldest first', async () => {
    const browser = new CookieClient(site.url);
    const label = (at: number) => `SvcSession-${String(at).padStart(8, '0')}`;
    for (let at = 0; at < 16; at++) browser.cookies.set(label(at), 'A'.repeat(32));
    await browser.open(OPENING);
    expect(browser.cookies.size, '16 and its own').to.equal(17);
    browser.cookies.set(label(16), 'A'.repeat(32));
    await browser.open(OPENING);
    expect([browser.cookies.size, browser.cookies.has(label(0)), browser.cookies.has(label(1))]).to.deep.equal([
      18,
      false,
      true,
    ]);
  });

  it('are of this host alone over TLS, where no other name of theirs counts', async function () {
    needCommand(this, 'openssl');
    const { cert, key } = makeCertificate();
    const secure = await startSessionSite({ line: `tls: { cert: '${cert}', key: '${key}' }` });
    try {
      const browser = new CookieClient(secure.url);
      const { text, set } = await browser.get(OPENING);
      expect(set).to.have.length(1);
      expect(set[0]).to.match(/^__Host-SvcSession-[\w-]{8}=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
      expect((await browser.get(actionIn(text))).status).to.equal(200);
      const planted = new CookieClient(secure.url);
      for (const [name, value] of browser.cookies) planted.cookies.set(name.replace('__Host-', ''), value);
      expect((await planted.get(BY_COOKIE)).status).to.equal(404);
      expect((await planted.get(actionIn(text))).status).to.equal(404);
    } finally {
      await secure.stop();
    }
  });

  it('and those of sign-ons are of this host alone over TLS', async function () {
    needCommand(this, 'openssl');
    const { cert, key } = makeCertificate();
    const secure = await startPortalSite({ crypts: '', clientLine: `tls: { cert: '${cert}', key: '${key}' }` });
    try {
      const browser = new CookieClient(secure.clientUrl, 'text/html');
      const path = '/TERMINAL.HTML+TSO4';
      const signOn = async () => {
        const code = /name="SIGNON-CODE" value="([^"]*)"/.exec((await browser.get(path)).text)?.[1] ?? '';
        return browser.post(path, { 'SIGNON-CODE': code, USERID: ANNA.name, PASSWORD: ANNA.password });
      };
      const { status, set } = await signOn();
      expect([status, set.length]).to.deep.equal([303, 2]);
      expect(set[0]).to.match(/^__Host-SvcSignon=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
      expect(set[1]).to.match(
        /^__Host-SvcDevice=[\w-]{48}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=7776000$/,
      );
      const planted = new CookieClient(secure.clientUrl, 'text/html');
      for (const [name, value] of browser.cookies) planted.cookies.set(name.replace('__Host-', ''), value);
      expect((await planted.get(path)).status).to.equal(401);
      expect((await browser.get(path)).status).to.equal(200);
      expect((await browser.post('/signoff', {})).set).to.deep.equal([
        '__Host-SvcSignon=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0',
      ]);
    } finally {
      await secure.stop();
    }
  });

  describe('sent along by a page of another port', () => {
    let browser: Browser | undefined;
    let foreign: Server | undefined;

    before(async function () {
      browser = await browserFor(this);
    });

    after(async () => {
      await leaveBrowser();
      foreign?.close();
    });

    it('press no key', async () => {
      foreign = createServer((_, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<meta name="referrer" content="no-referrer"><form method="post" action="${site.url}${BY_COOKIE}">
          <input name="pf" value="ENTER"><input name="V000024E" value="EVIL"></form>
          <script>document.forms[0].submit()</script>`);
      });
      await once(foreign.listen(0, '127.0.0.1'), 'listening');
      const { port } = foreign.address() as AddressInfo;
      const page = await (await browser?.newContext())?.newPage();
      if (page === undefined) throw new Error('no browser');
      const headers: Readonly<Record<string, string>>[] = [];
      await page.goto(site.url + OPENING);
      // only over TLS and on localhost browsers say which site a request comes from: the rest must do without
      await page.route(`**${BY_COOKIE}`, async (route) => {
        const sent = { ...(await route.request().allHeaders()) };
        headers.push(sent);
        for (const name of Object.keys(sent)) if (name.startsWith('sec-fetch-')) delete sent[name];
        await route.continue({ headers: sent });
      });
      const answer = page.waitForResponse((response) => response.url().endsWith(BY_COOKIE));
      await page.goto(`http://127.0.0.1:${port}/`);
      expect((await answer).status()).to.be.oneOf([403, 405]);
      expect(headers[0]).to.include({ origin: 'null' });
      const looked = await page.goto(site.url + BY_COOKIE);
      expect([looked?.status(), (await looked?.text())?.includes('EVIL')]).to.deep.equal([200, false]);
    });
  });
});
