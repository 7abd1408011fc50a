import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { browserFor, HOST_NAME, leaveBrowser } from './shared-browser.js';
import { startTerminalSite } from './terminal-page.js';

/** The page of a portal: one script of ours, and what it heard. */
function portalPage(site: string): RequestListener {
  return (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!DOCTYPE html><html lang="en"><title>Portal</title><h1>Portal</h1>
<script src="${site}/w2h/sallyport-terminal.js"></script>
<sallyport-terminal title="Host" style="height: 500px"></sallyport-terminal>
<script>
const terminal = document.querySelector('sallyport-terminal');
const heard = [];
for (const name of ['connected', 'screen', 'ended', 'error'])
  terminal.addEventListener(name, ({ detail }) => heard.push([name, detail]));
terminal.setAttribute('src', '${site}/TERMINAL.HTML+TSO');
</script>`);
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A page of another origin has the terminal in it. Origins are compared as RFC 6454 says: by scheme, name and port. */
describe('a terminal in a page of another server', () => {
  const servers: Server[] = [];
  const sites: SessionSite[] = [];
  let browser: Browser;

  before(async function () {
    browser = await browserFor(this);
  });
  after(async () => {
    await leaveBrowser();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    for (const site of sites) await site.stop();
  });

  /** @param site known when the page is asked for */
  async function startPortal(site: () => string, certificate?: { cert: string; key: string }): Promise<number> {
    const page: RequestListener = (request, response) => portalPage(site())(request, response);
    const server = certificate
      ? createSecureServer({ cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) }, page)
      : createServer(page);
    servers.push(server as Server);
    return listening(server as Server);
  }

  const heard = (page: Page) => page.evaluate('heard') as Promise<[string, Record<string, unknown>][]>;
  const names = async (page: Page) => (await heard(page)).map(([name]) => name);
  const until = (isSo: () => boolean | Promise<boolean>) => eventually(async () => ((await isSo()) ? true : undefined));
  const untilHeard = (page: Page, name: string) => until(async () => (await names(page)).includes(name));
  const text = (page: Page) => page.evaluate('terminal.text()') as Promise<string>;

  it('is used by a page whose origin is configured, and shown to no other', async () => {
    let address = '';
    const allowed = await startPortal(() => address);
    const other = await startPortal(() => address);
    const site = await startTerminalSite({
      entryPoint: `lastPage: BYE.HTML\n    embedding: { origins: ['http://127.0.0.1:${allowed}'] }`,
    });
    sites.push(site);
    address = site.url;

    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${allowed}/`);
    await untilHeard(page, 'screen');
    expect(await names(page)).to.include('connected');
    expect(await text(page)).to.match(/USERID/i);

    // a password goes in, and does not come out
    await page.evaluate(`(async () => {
      await terminal.type('DEMO');
      await terminal.press('Tab');
      await terminal.type('demo');
    })()`);
    expect(await text(page))
      .to.include('DEMO')
      .and.not.include('demo');
    await page.evaluate("terminal.press('Enter')");
    await until(async () => (await text(page)).includes('MENU'));
    expect(await page.evaluate("terminal.press('palette').catch(({ message }) => message)")).to.equal(
      'There is no key palette.',
    );
    expect(await page.evaluate("terminal.fill(1, 1, 'x').catch(({ message }) => message)")).to.equal(
      'No field that accepts input begins there.',
    );
    const refusal = (call: string) => page.evaluate<string>(`${call}.then(() => '', ({ message }) => message)`);
    const bounds = 'The request is invalid. A text has at most 10,000 characters, and rows and columns count from 1.';
    expect(await refusal("terminal.type('x'.repeat(10_001))")).to.equal(bounds);
    expect(await refusal("terminal.fill(0, 1, 'x')")).to.equal(bounds);
    expect(await refusal("terminal.fill(1, 1.5, 'x')")).to.equal(bounds);
    expect(await refusal('terminal.type({})')).to.equal(bounds);
    expect(await refusal("terminal.press('x'.repeat(10_000))")).to.match(/^There is no key x+\.$/);
    const flood = 'Promise.allSettled(Array.from({ length: 1_001 }, () => terminal.text()))';
    expect(
      await page.evaluate(`${flood}.then((all) => all.flatMap(({ reason }) => (reason ? [reason.message] : [])))`),
    ).to.deep.equal(['Too many requests are waiting for an answer.']);

    // a second one on the page is a session of its own
    await page.evaluate(`(() => {
      globalThis.second = document.createElement('sallyport-terminal');
      globalThis.heardBySecond = [];
      for (const name of ['connected', 'screen', 'error'])
        second.addEventListener(name, ({ detail }) => heardBySecond.push(name + (detail.message ?? '')));
      document.body.append(second);
    })()`);
    const bySecond = () => page.evaluate<string[]>('heardBySecond');
    for (const source of ['javascript:alert(1)', 'ftp://127.0.0.1/x', 'http://', 'data:text/html,x']) {
      await page.evaluate(`second.setAttribute('src', ${JSON.stringify(source)})`);
    }
    const none = 'errorsrc is not the address of a terminal.';
    // without src, and with each that is none
    expect(await bySecond()).to.deep.equal([none, none, none, none, none]);
    expect(await refusal('second.text()')).to.equal('The terminal is not connected.');
    await page.evaluate("document.documentElement.lang = 'de-CH'");
    expect(await refusal('second.text()')).to.equal('Das Terminal ist nicht verbunden.');
    await page.evaluate("second.lang = 'fr'");
    expect(await refusal('second.text()')).to.equal('Le terminal n’est pas connecté.');
    await page.evaluate("document.documentElement.lang = second.lang = 'en'");
    await page.evaluate(`second.setAttribute('src', '${site.url}/TERMINAL.HTML+TSO')`);
    await until(async () => (await bySecond()).includes('screen'));
    expect(await page.evaluate<string>('second.text()')).to.match(/USERID/i);
    expect(await text(page), 'the first one is where it was').to.include('MENU');
    await page.evaluate('second.remove()');

    // a frame beside the terminal, from another origin, is not the page around it
    await page.evaluate(`(async () => {
      const beside = document.createElement('iframe');
      beside.name = 'beside';
      beside.src = '${site.url}/TERMINAL.HTML+TSO';
      document.body.append(beside);
      await new Promise((resolve) => beside.addEventListener('load', resolve));
      const foreign = document.createElement('iframe');
      foreign.src = 'http://127.0.0.1:${other}/foreign';
      document.body.append(foreign);
    })()`);
    const foreign = await eventually(() => page.frames().find((frame) => frame.url().endsWith('/foreign')));
    const beside = page.frame('beside');
    await beside?.locator('#screen .row').first().waitFor();
    await beside?.evaluate(`(() => {
      globalThis.told = new Promise((resolve) => addEventListener('message', ({ origin }) => resolve(origin)));
    })()`);
    await foreign.evaluate(`(() => {
      const { port1, port2 } = new MessageChannel();
      globalThis.answers = [];
      port1.onmessage = ({ data }) => answers.push(data);
      parent.frames.beside.postMessage('sallyport-terminal', '*', [port2]);
      port1.postMessage({ id: 1, does: 'text' });
    })()`);
    expect(await beside?.evaluate('told')).to.equal(`http://127.0.0.1:${other}`);
    // a round trip later
    await beside?.evaluate("fetch('/')");
    expect(await foreign.evaluate('answers')).to.deep.equal([]);
    await page.evaluate("for (const frame of document.querySelectorAll('iframe')) frame.remove()");
    const events = JSON.stringify([await heard(page), await bySecond()]);
    expect(events)
      .to.not.include('demo')
      .and.not.match(/SvcSession|USERID|MENU/i);
    // PF3 leaves the menu of the host, and with it the session
    await page.evaluate("terminal.press('pf3')");
    await untilHeard(page, 'ended');
    expect(await page.evaluate('terminal.text().catch(({ message }) => message)')).to.equal(
      'The terminal is not connected.',
    );

    // the same page from another port is another origin
    const refused = await context.newPage();
    const complaints: string[] = [];
    refused.on('console', (message) => complaints.push(message.text()));
    await refused.goto(`http://127.0.0.1:${other}/`);
    await until(() => /frame-ancestors/.test(complaints.join()));
    expect(await names(refused)).to.deep.equal([]);
    await context.close();
  });

  it('hears nobody whose origin is not configured, though it may be framed: a page of its own server', async () => {
    const site = await startTerminalSite({ entryPoint: 'embedding: { origins: [https://portal.example] }' });
    sites.push(site);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    await page.evaluate(`(() => {
      const frame = document.createElement('iframe');
      frame.src = '/TERMINAL.HTML+TSO';
      document.body.append(frame);
    })()`);
    const inside = await eventually(() => page.frames().find((frame) => frame !== page.mainFrame()));
    await inside.locator('#screen .row').first().waitFor();
    const heard = await page.evaluate(`(async () => {
      const { port1, port2 } = new MessageChannel();
      const heard = [];
      port1.onmessage = ({ data }) => heard.push(data);
      const { contentWindow } = document.querySelector('iframe');
      const isTold = new Promise((resolve) => contentWindow.addEventListener('message', resolve, { once: true }));
      contentWindow.postMessage('sallyport-terminal', '*', [port2]);
      port1.postMessage({ id: 1, does: 'text' });
      await isTold;
      // what it would have said had been there before this
      await fetch('/');
      return heard;
    })()`);
    expect(heard).to.deep.equal([]);
    await context.close();
  });

  it('works in a page of another site, over TLS, with cookies that exist below that site alone', async () => {
    const certificate = makeCertificate();
    let address = '';
    const port = await startPortal(() => address, certificate);
    const origin = `https://${HOST_NAME}:${port}`;
    const site = await startTerminalSite({
      entryPoint: `embedding: { origins: ['${origin}'] }`,
      line: `tls: { cert: '${certificate.cert}', key: '${certificate.key}' }`,
    });
    sites.push(site);
    address = site.url;
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const cookies: string[] = [];
    page.on('response', async (response) => cookies.push((await response.headerValue('set-cookie')) ?? ''));
    await page.clock.install();
    await page.goto(origin);
    await untilHeard(page, 'screen');
    expect(await names(page)).to.include('connected');
    expect(await text(page)).to.match(/USERID/i);
    await page.evaluate('terminal.disconnect()');
    await untilHeard(page, 'ended');
    // the last page in the frame is no terminal, and needs to be none
    await until(() => page.frames().some((frame) => frame !== page.mainFrame() && !frame.url().includes('TERMINAL')));
    await until(async () => (await page.frames()[1]?.evaluate('document.readyState')) === 'complete');
    await page.clock.fastForward(11_000);
    expect(await names(page)).to.not.include('error');
    const cookie = cookies.find((one) => one.includes('SvcSession')) ?? '';
    expect(cookie).to.match(/^__Host-.*; Path=\/; HttpOnly; SameSite=None; Partitioned; Secure/);
    // the same page by itself has the usual one
    const alone = await context.newPage();
    const answer = await alone.goto(`${site.url}/TERMINAL.HTML+TSO`);
    expect(await answer?.headerValue('set-cookie'))
      .to.include('SameSite=Strict')
      .and.not.include('Partitioned');
    await context.close();
  });
});
