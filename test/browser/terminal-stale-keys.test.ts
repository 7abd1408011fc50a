import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { SlowProxy } from './slow-proxy.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const record = (data: string) => `00 00 00 0000 ${data} ffef`;
/** An input of eight positions with the cursor; OLD, DELETE? or ANSWER in protected text (code page 037). */
const input = 'f5c3 1d40 13 0000000000000000 1d60 4040';
const OLD = record(`${input} d6d3c4`);
const DELETE = record(`${input} c4c5d3c5e3c56f`);
const ANSWER = record(`${input} c1d5e2e6c5d9`);
/** Enter with y in the input, and the cursor behind it (GA23-0059). */
const ENTER_Y = '7d 40c2 1140c1 a8';
const REFUSED = 'The screen has changed, so the key was not pressed. Nothing was sent to the host.';

/** A key must not reach another screen than the one on which its user pressed it, however slow the connection is. */
describe('keys pressed on a screen that the host has replaced', () => {
  let browser: Browser | undefined;
  let site: SessionSite | undefined;
  let proxy: SlowProxy | undefined;
  const host = new ScriptedHost();

  before(async function () {
    browser = await browserFor(this);
    site = await startTerminalSite({
      hosts: `HOST: { address: '127.0.0.1:${await host.listen()}' }`,
      transactions: [
        'HOST: { applicationType: 1, application: HOST, page: TERMINAL.HTML }',
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
    });
    proxy = await SlowProxy.before(site.url);
  });

  after(async () => {
    await leaveBrowser();
    await proxy?.stop();
    await site?.stop();
    await host.close();
  });

  /** A terminal on OLD, connected through the proxy. */
  async function opened(): Promise<{ readonly terminal: TerminalPage; readonly wire: SlowProxy }> {
    const wire = proxy as SlowProxy;
    wire.thaw();
    const before = host.sockets.length;
    const opening = TerminalPage.open(browser as Browser, named(wire.url, '/TERMINAL.HTML+HOST'));
    await eventually(() => host.sockets.length > before || undefined);
    await host.send(AGREEMENT);
    await host.send(`${BIND} ${OLD}`);
    const terminal = await opening;
    await terminal.shows('OLD');
    await terminal.free();
    await eventually(() => terminal.received.some((text) => text.startsWith('{"k":"s"')) || undefined);
    return { terminal, wire };
  }

  /** The session has what the host has sent: it asks for the screen as a program does. */
  async function sessionShows(terminal: TerminalPage, text: string): Promise<void> {
    const address = new URL(new URL(terminal.page.url()).pathname, site?.url).href;
    const [cookie] = await terminal.page.context().cookies();
    const headers = { Accept: 'application/json', Cookie: `${cookie?.name}=${cookie?.value}` };
    await eventually(async () => {
      const { text: rows } = (await (await fetch(address, { headers })).json()) as { readonly text: readonly string[] };
      return rows.some((row) => row.includes(text)) || undefined;
    });
  }

  const heard = () => host.received.length;
  const hears = (from: number, data: string) =>
    eventually(() => host.received.subarray(from).includes(Buffer.from(data.replaceAll(' ', ''), 'hex')) || undefined);

  it('are not sent after a frozen connection goes on, and what was typed can be pasted', async () => {
    const { terminal, wire } = await opened();
    wire.freeze();
    await terminal.type('y');
    await terminal.press('Enter');
    const before = heard();
    await host.send(DELETE);
    await sessionShows(terminal, 'DELETE?');
    wire.thaw();
    await terminal.shows('DELETE?');
    await terminal.says(`${REFUSED} Alt+V pastes your text.`);
    expect(heard()).to.equal(before);
    await terminal.free();
    // the user wants it here, too
    await terminal.press('Alt+v', 'Enter');
    await hears(before, ENTER_Y);
    await terminal.close();
  });

  it('are not sent by a page that connects anew', async () => {
    const { terminal, wire } = await opened();
    wire.freeze();
    await terminal.type('y');
    await terminal.press('Enter');
    const before = heard();
    await host.send(DELETE);
    await sessionShows(terminal, 'DELETE?');
    // the key has never left: the page sends it on its next connection
    wire.drop();
    wire.thaw();
    await terminal.shows('DELETE?');
    await terminal.says(REFUSED);
    expect(heard()).to.equal(before);
    await terminal.close();
  });

  it('are not sent if they were typed ahead, and the host has replaced the answer', async () => {
    const { terminal, wire } = await opened();
    const from = heard();
    await terminal.press('Enter');
    await hears(from, '7d 40c1');
    await eventually(() => terminal.received.some((text) => text.startsWith('{"k":"a"')) || undefined);
    await terminal.type('y');
    await terminal.press('Enter');
    await terminal.says('2 typed ahead');
    wire.freeze();
    const before = heard();
    await host.send(ANSWER);
    await sessionShows(terminal, 'ANSWER');
    await host.send(DELETE);
    await sessionShows(terminal, 'DELETE?');
    wire.thaw();
    await terminal.shows('DELETE?');
    await terminal.says(`${REFUSED} Alt+V pastes your text.`);
    expect(heard()).to.equal(before);
    await terminal.close();
  });

  it('are sent if they were typed ahead for the answer that came', async () => {
    const { terminal } = await opened();
    const from = heard();
    await terminal.press('Enter');
    await hears(from, '7d 40c1');
    await terminal.type('y');
    await terminal.press('Enter');
    await host.send(ANSWER);
    await hears(from, ENTER_Y);
    await terminal.close();
  });

  it('are not said to be with the host before the server has confirmed them, and a dead connection is noticed', async () => {
    const { terminal, wire } = await opened();
    wire.freeze();
    await terminal.press('Enter');
    await terminal.says('Not confirmed by the server');
    expect(await terminal.information()).to.not.include('The host is working');
    // nothing comes, and the page gives the connection up by itself
    await terminal.says('Not connected: trying again');
    wire.thaw();
    await terminal.says('The host is working');
    const before = heard();
    await host.send(ANSWER);
    await terminal.shows('ANSWER');
    await terminal.free();
    expect(heard(), 'the key was sent once').to.equal(before);
    await terminal.close();
  });
});
