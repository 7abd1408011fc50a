import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { randomFrom } from '../support/random.js';
import { rounds } from '../support/rounds.js';
import { violations } from './axe.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { SlowProxy } from './slow-proxy.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const CUTS = rounds(200, 60);
const ACCOUNTS = 5;
const LONGEST_CONNECTION = 25;
/** Where each takes long, there are more cuts. */
const FEWEST_ASKED = 11;
/** Of what passes the network each way, in milliseconds. */
const LATE = 2_000;

describe('the terminal on a bad network', () => {
  let browser: Browser | undefined;
  let site: SessionSite | undefined;
  let proxy: SlowProxy | undefined;

  before(async function () {
    browser = await browserFor(this);
    site = await startTerminalSite();
    proxy = await SlowProxy.before(site.url);
  });

  after(async () => {
    await leaveBrowser();
    await proxy?.stop();
    await site?.stop();
  });

  it('shows each character at once, however late the server is', async () => {
    const terminal = await TerminalPage.atMenu(browser as Browser, named(proxy?.url ?? '', '/TERMINAL.HTML+TSO'));
    await terminal.choose('1', 'BROWSE');
    if (proxy) proxy.milliseconds = LATE;
    // behind the terminal's own listener: what the key has changed is there already, and nothing else had its turn meanwhile
    await terminal.page.evaluate(`{
      let isOver;
      window.shownAfter = [];
      addEventListener('keydown', () => { isOver = false; setTimeout(() => { isOver = true; }); }, true);
      addEventListener('keydown', ({ target }) => {
        shownAfter.push([target.value.length, isOver]);
      });
    }`);
    const received = terminal.received.length;
    const text = 'FIND'.padEnd(40, 'PRNT');
    await terminal.type(text);
    const shown = await terminal.valueOf('Command ===>');
    const keys: [number, boolean][] = await terminal.page.evaluate('shownAfter');
    await terminal.press('Enter');
    expect(terminal.received).to.have.length(received);
    expect(shown).to.equal(text);
    expect(keys.map(([length]) => length)).to.deep.equal(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(keys.map(([, isOver]) => isOver)).to.deep.equal(Array.from({ length: 40 }, () => false));
    await terminal.shows('FIND name, or S before');
    if (proxy) proxy.milliseconds = 0;
    await terminal.close();
  });

  it('says over the screen that the server has not been reached for five seconds, until it is', async () => {
    const terminal = await TerminalPage.open(browser as Browser, 'about:blank');
    const { page } = terminal;
    await page.clock.install();
    await page.goto(named(proxy?.url ?? '', '/TERMINAL.HTML+TSO'));
    await terminal.signOn();
    await terminal.free();
    const notice = page.locator('.notice').getByText('The server cannot be reached.');
    await page.clock.pauseAt(Date.now() + 86_400_000);
    await page.context().setOffline(true);
    proxy?.cut();
    await terminal.says('X COMM');
    await page.clock.runFor(4_999);
    expect(await notice.count()).to.equal(0);
    await page.clock.runFor(1);
    expect(await notice.count()).to.equal(1);
    // axe has timers
    await page.clock.resume();
    expect(await violations(page)).to.deep.equal([]);
    await terminal.type('q');
    await page.context().setOffline(false);
    await terminal.connected();
    await notice.waitFor({ state: 'detached' });
    expect(await terminal.valueOf('Option ===>')).to.match(/^q/);
    // its clock is not for another page
    await page.context().close();
  });

  it('asks for the whole screen where what came is not a message of the protocol', async () => {
    const terminal = await TerminalPage.atMenu(browser as Browser, named(site?.url ?? '', '/TERMINAL.HTML+TSO'));
    const nonsense = ['no json', '{"k":"constructor"}', '{"k":"d","b":1,"r":"2"}', '{"k":"s","r":9,"n":9999,"c":9999}'];
    const hellos: string[] = [];
    await terminal.page.routeWebSocket(/SvcSession/, (socket) => {
      const server = socket.connectToServer();
      const number = hellos.length;
      socket.onMessage((message) => {
        if (hellos.length === number) hellos.push(String(message));
        server.send(message);
      });
      server.onMessage((message) => {
        socket.send(message);
        const text = nonsense[number];
        if (text !== undefined && String(message).startsWith('{"k":"s"')) socket.send(text);
      });
    });
    await terminal.page.reload();
    await eventually(() => hellos.length > nonsense.length || undefined);
    // who names no revision is sent the whole screen
    for (const hello of hellos) expect(JSON.parse(hello)).to.include({ k: 'h' }).and.not.have.property('r');
    await terminal.choose('1', 'BROWSE');
    expect(terminal.complaints.filter((complaint) => !complaint.includes('WebSocket'))).to.deep.equal([]);
    await terminal.close();
  });

  it(`loses and doubles nothing when ${CUTS} connections break`, async () => {
    const terminal = await TerminalPage.atMenu(browser as Browser, named(proxy?.url ?? '', '/TERMINAL.HTML+TSO'));
    await terminal.choose('2', 'ACCT');
    const { page } = terminal;
    // the network is back at once: the page needs not wait
    await page.evaluate("setInterval(() => dispatchEvent(new Event('online')), 5)");
    const random = randomFrom(20_261_121);
    let cuts = 0;
    let cutting = true;
    const cutter = (async () => {
      for (let connected = 0; cutting; connected = welcomes()) {
        await eventually(() => welcomes() > connected || !cutting || undefined);
        await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_CONNECTION));
        proxy?.cut();
        cuts++;
      }
    })();
    let asked = 0;
    while (cuts < CUTS || asked <= FEWEST_ASKED) {
      const number = String(10_000_001 + (asked++ % ACCOUNTS));
      await terminal.type(number);
      await send('Enter');
      await terminal.shows(`Account number . .  ${number}`, 'F12=Cancel');
      // a second Enter would have been answered with this
      expect(await terminal.text()).to.not.include('F5 writes the changes');
      await send('F12');
      await terminal.shows('ENTER=Inquire');
      // and a second F12 with this
      expect(await terminal.text()).to.not.include('There is no account');
      await terminal.free();
    }
    cutting = false;
    await cutter;
    await online();
    await terminal.free();
    const numbers = terminal.submits.map(({ i }) => Number(i));
    expect(numbers.at(-1)).to.equal(2 + 2 * asked);
    expect(terminal.complaints.filter((complaint) => !complaint.includes('WebSocket'))).to.deep.equal([]);
    await terminal.close();

    function welcomes(): number {
      return terminal.received.filter((text) => text.startsWith('{"k":"w"')).length;
    }
    async function online(): Promise<void> {
      await terminal.connected();
    }
    /** As a user does: presses again where the page says that it has not sent it. */
    async function send(key: string): Promise<void> {
      do {
        await online();
        await terminal.press(key);
      } while ((await terminal.information()).includes('the key was not sent'));
    }
  });
});
