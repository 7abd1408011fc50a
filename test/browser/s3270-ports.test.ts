import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { commandScript } from '../support/project.js';
import { freshPage, leaveFresh } from './fresh-page.js';
import { browserFor, HOST_NAME, leaveBrowser } from './shared-browser.js';

/** What the pages of a site do to the ports of a terminal on the machine of their reader. */
describe('ports of sallyport s3270 and the pages of another site', () => {
  const folder = mkdtempSync(join(tmpdir(), 's3270-pages-'));
  const mark = join(folder, 'mark');
  let browser: Browser;
  let site: Server;
  let child: ChildProcessWithoutNullStreams;
  let httpPort: number;
  let scriptPort: number;
  let page: Page;
  /** Each with the status of the answer; 0: there was none. */
  let answers: [path: string, status: number][];

  before(async function () {
    browser = await browserFor(this);
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!DOCTYPE html><title>other</title><iframe name="frame"></iframe>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    [httpPort, scriptPort] = await Promise.all([freePort(), freePort()]);
    const words = ['-model', '2', '-httpd', String(httpPort), '-scriptport', String(scriptPort)];
    child = spawn(process.execPath, [commandScript, 's3270', ...words]);
    await eventually(() => fetch(terminal('/')).catch(() => undefined));
    // where a browser can't read the answer, the terminal shows whether the action was carried out
    expect(await setting()).to.equal('false');
  });
  after(async () => {
    site?.close();
    await leaveBrowser();
    if (child !== undefined) {
      const over = once(child, 'close');
      child.kill();
      await over;
    }
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    page = await freshPage(browser, {});
    answers = [];
    const note = (url: string, status: number) => {
      if (new URL(url).port !== String((site.address() as AddressInfo).port)) answers.push([url, status]);
    };
    page.on('response', (response) => note(response.url(), response.status()));
    page.on('requestfailed', (request) => note(request.url(), 0));
    await page.goto(`http://${HOST_NAME}:${(site.address() as AddressInfo).port}/`);
  });
  afterEach(() => leaveFresh(page));

  const terminal = (path: string) => `http://127.0.0.1:${httpPort}${path}`;
  const action = () => terminal('/3270/rest/text/Set(monoCase,true)');
  const setting = async () => (await (await fetch(terminal('/3270/rest/text/Set(monoCase)'))).text()).trim();
  const execute = () => `Execute("touch ${mark}")`;

  const attacks: Readonly<Record<string, (at: string) => string>> = {
    'a picture': (at) => `new Promise((done) => {
      const image = new Image();
      image.onload = image.onerror = done;
      image.src = ${JSON.stringify(at)};
    })`,
    'a script': (at) => `new Promise((done) => {
      const script = document.createElement('script');
      script.onload = script.onerror = done;
      script.src = ${JSON.stringify(at)};
      document.head.append(script);
    })`,
    'fetch without CORS': (at) => `fetch(${JSON.stringify(at)}, { mode: 'no-cors' }).catch(() => undefined)`,
    'fetch that hides the page': (at) =>
      `fetch(${JSON.stringify(at)}, { mode: 'no-cors', referrerPolicy: 'no-referrer' }).catch(() => undefined)`,
    'fetch with POST': (at) =>
      `fetch(${JSON.stringify(at)}, { mode: 'no-cors', method: 'POST', body: ${JSON.stringify(`\n${execute()}\n`)} })
        .catch(() => undefined)`,
    'a form that is posted into a frame': (at) => `new Promise((done) => {
      const frame = document.querySelector('iframe');
      frame.onload = done;
      const form = document.createElement('form');
      Object.assign(form, { method: 'POST', enctype: 'text/plain', target: 'frame', action: ${JSON.stringify(at)} });
      const text = document.createElement('textarea');
      text.name = ${JSON.stringify(`\n${execute()}\n`)};
      form.append(text);
      document.body.append(form);
      form.submit();
    })`,
    'a WebSocket': (at) => `new Promise((done) => {
      const socket = new WebSocket(${JSON.stringify(at.replace(/^http/, 'ws'))});
      socket.onopen = socket.onerror = done;
    })`,
  };

  for (const [what, script] of Object.entries(attacks)) {
    it(`refuse ${what} at -httpd`, async () => {
      await page.evaluate(script(action()));
      if (what !== 'a WebSocket') {
        const status = await eventually(() => answers.find(([url]) => url === action())?.[1]);
        // Chromium withholds the answer from a picture and a script (opaque response blocking)
        expect(status).to.be.oneOf(/picture|script/.test(what) ? [0, 403] : [403]);
      }
      await page.evaluate(script(terminal('/3270/rest/post')));
      expect(await setting()).to.equal('false');
      expect(existsSync(mark)).to.equal(false);
    });

    it(`close the connection of ${what} at -scriptport`, async () => {
      await page.evaluate(script(`http://127.0.0.1:${scriptPort}/${encodeURIComponent(execute())}`));
      await page.evaluate(script(`https://127.0.0.1:${scriptPort}/`));
      if (what !== 'a WebSocket') {
        const status = await eventually(() => answers.find(([url]) => url.includes(`:${scriptPort}/`))?.[1]);
        expect(status, 'no answer').to.equal(0);
      }
      expect(existsSync(mark)).to.equal(false);
    });
  }

  it('refuse to be gone to from a page of another site', async () => {
    const answer = page.waitForResponse(action());
    await page.evaluate(`location.href = ${JSON.stringify(action())}`);
    expect((await answer).status()).to.equal(403);
    expect((await (await answer).request().allHeaders())['sec-fetch-site']).to.equal('cross-site');
    expect(await setting()).to.equal('false');
  });

  it('refuse pages at addresses to which browsers send no Sec-Fetch-Site', async () => {
    const port = await freePort();
    const open = spawn(process.execPath, [commandScript, 's3270', '-httpd', `*:${port}`]);
    const rest = (host: string, text: string) => `http://${host}:${port}/3270/rest/text/${text}`;
    await eventually(() => fetch(rest('127.0.0.1', 'Query(Cursor)')).catch(() => undefined));
    for (const what of ['a picture', 'a script', 'fetch that hides the page'] as const) {
      await page.evaluate(attacks[what]?.(rest('0.0.0.0', 'Set(monoCase,true)')) ?? '');
      expect(await (await fetch(rest('127.0.0.1', 'Set(monoCase)'))).text(), what).to.equal('false\r\n');
    }
    const over = once(open, 'close');
    open.kill();
    await over;
  });

  it('refuse a page whose name has become that of this machine', async () => {
    const rebound = await page.goto(`http://${HOST_NAME}:${httpPort}/3270/rest/text/Set(monoCase,true)`);
    expect(rebound?.status()).to.equal(403);
    expect(await setting()).to.equal('false');
  });

  it('serve their own pages: an address that is typed, and the form', async () => {
    expect((await page.goto(terminal('/3270/interact.html')))?.status()).to.equal(200);
    await page.getByRole('textbox').fill('Set(monoCase,true)');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    expect(await setting()).to.equal('true');
    await page.getByRole('textbox').fill('Set(monoCase,false)');
    await page.getByRole('button', { name: 'Submit' }).click();
    await eventually(async () => ((await setting()) === 'false' ? true : undefined));
  });
});
