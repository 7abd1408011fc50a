import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../session/session-site.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { SlowProxy } from './slow-proxy.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

/** A formatted screen with an input field at position 2, and the keyboard free. */
const SCREEN = '00 00 00 0000 f5c3 114040 1d40 c1 114150 1df0 ffef';

/** What the terminal says when a connection breaks, and what of it stays. */
describe('the words of the terminal', () => {
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
        'TSO: { applicationType: 1, application: SIM, crypt: CRYPT3270 }',
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

  async function openHosted(): Promise<TerminalPage> {
    const before = host.sockets.length;
    const opening = TerminalPage.open(browser as Browser, named(site?.url ?? '', '/TERMINAL.HTML+HOST'));
    await eventually(() => host.sockets.length > before || undefined);
    await host.send(AGREEMENT);
    await host.send(`${BIND} ${SCREEN}`);
    const terminal = await opening;
    await terminal.shows('A');
    await terminal.free();
    return terminal;
  }

  it('of a key that was not sent follow the connection, and go with the next key', async () => {
    const terminal = await TerminalPage.open(browser as Browser, named(proxy?.url ?? '', '/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    if (proxy) proxy.refusesUpgrades = true;
    proxy?.cut();
    await terminal.says('Not connected: trying again');
    await terminal.press('Enter');
    await terminal.says('Not connected: the key was not sent.');
    if (proxy) proxy.refusesUpgrades = false;
    await terminal.free();
    await terminal.says('Connected again: the key was not sent.');
    expect(await terminal.information()).to.not.include('Not connected');
    await terminal.type('d');
    expect(await terminal.information()).to.not.include('not sent');
    await terminal.close();
  });

  it('count nothing as typed ahead after the end, neither before it nor behind', async () => {
    const terminal = await openHosted();
    await terminal.press('Enter');
    await terminal.type('ab');
    await terminal.says('2 typed ahead');
    const before = await terminal.page.locator('#screen').boundingBox();
    (await host.connected()).end();
    await terminal.alert.getByText('The host has ended the session.').waitFor();
    expect(await terminal.page.locator('#screen').boundingBox(), 'nothing moves').to.deep.equal(before);
    expect(await terminal.information()).to.not.include('typed ahead');
    await terminal.page.locator('#screen').click();
    await terminal.type('c');
    await terminal.press('Tab', 'F3');
    const information = await terminal.information();
    expect(information).to.include('The host has ended the session.').and.not.include('typed ahead');
    await terminal.close();
  });

  it('of a connection that was cut in the middle of a record do not blame the host', async () => {
    const terminal = await openHosted();
    await host.send('00 00 00 0000 f5c3 114040');
    (await host.connected()).end();
    await terminal.alert.getByText('The connection to the host was lost.').waitFor();
    expect(await terminal.alert.textContent())
      .to.include('(the connection was cut in the middle of a record)')
      .and.not.include('The host has ended');
    expect(await terminal.information()).to.include('The connection to the host was lost.');
    await terminal.close();
  });
});
