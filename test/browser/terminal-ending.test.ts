import { expect } from 'chai';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { expectSameBox } from './pixels.js';
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

  async function openHosted(options: BrowserContextOptions = {}): Promise<TerminalPage> {
    const before = host.sockets.length;
    const opening = TerminalPage.open(browser as Browser, named(site?.url ?? '', '/TERMINAL.HTML+HOST'), options);
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

  it('stay a terminal while a proxy finds no server behind it, and where the browser forbids all storage', async () => {
    const terminal = await TerminalPage.open(browser as Browser, 'about:blank');
    const { page } = terminal;
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('forbidden', 'SecurityError'); } });`);
    await page.goto(named(proxy?.url ?? '', '/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    await terminal.press('Control++');
    await terminal.says('Not saved. The browser has no room for them, or does not allow it.');
    let asked = 0;
    await page.route(/Validate/, async (route) => {
      asked++;
      await route.fulfill({ status: 502 });
    });
    if (proxy) proxy.refusesUpgrades = true;
    proxy?.cut();
    // more than where only WebSockets do not get through; whoever comes online again tries at once
    await eventually(async () => {
      await page.evaluate("dispatchEvent(new Event('online'))");
      return asked > 5 || undefined;
    });
    if (proxy) proxy.refusesUpgrades = false;
    await page.unroute(/Validate/);
    await terminal.free();
    expect(await page.locator('body.live').count()).to.equal(1);
    await terminal.signOn();
    expect(terminal.complaints.filter((complaint) => !/WebSocket|502/.test(complaint))).to.deep.equal([]);
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
    expectSameBox(await terminal.page.locator('#screen').boundingBox(), before, 'nothing moves');
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
      .to.include('(The connection was interrupted in the middle of a record.)')
      .and.not.include('The host has ended');
    expect(await terminal.information()).to.include('The connection to the host was lost.');
    await terminal.close();
  });

  it('tell aloud all that the host has written in a short time, and go on telling where it never rests', async () => {
    const terminal = await openHosted();
    const { page } = terminal;
    await page.evaluate(`(() => {
      globalThis.told = [];
      const region = document.querySelector('#announcements');
      new MutationObserver(() => told.push(region.textContent)).observe(region, { childList: true });
    })()`);
    const told = () => page.evaluate<string[]>('told');
    // f1: rows 2 and 3, one upon the other; the second has a field that is not displayed (3270 attribute 4c)
    await host.send(
      '00 00 00 0000 f1c2 11c150 c6c9d9e2e3 ffef 00 00 00 0000 f1c2 11c260 e2c5c3d6d5c4 1d4c c3d6c4c5 1df0 ffef',
    );
    // the screen before may be told as late as now
    const text = await eventually(async () => (await told()).find((one) => /FIRST|SECOND/.test(one)));
    expect(text).to.include('FIRST').and.include('SECOND').and.not.include('CODE');
    let isOver = false;
    const counting = (async () => {
      for (let number = 0; !isOver; number++) {
        const digits = Buffer.from(String(number).padStart(4, '0'), 'latin1').map((digit) => digit + 0xc0);
        await host.send(`00 00 00 0000 f1c2 11c3f0 ${Buffer.from(digits).toString('hex')} ffef`);
        await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
      }
    })();
    const before = (await told()).length;
    await eventually(async () => (await told()).length > before + 1 || undefined);
    isOver = true;
    await counting;
    await terminal.close();
  });

  it('of an alarm (WCC bit 5): the edge lights up and it is said aloud; it is heard by the setting, and nothing moves', async () => {
    const terminal = await openHosted({ reducedMotion: 'reduce' });
    const { page } = terminal;
    await page.evaluate(`(() => {
      globalThis.lit = 0;
      globalThis.tones = [];
      const screen = document.querySelector('#screen');
      let isLit = false;
      new MutationObserver(() => {
        const now = screen.classList.contains('alarm');
        if (now && !isLit) {
          lit++;
          globalThis.moving = document.getAnimations().filter(({ effect }) => effect.target === screen).length;
        }
        isLit = now;
      }).observe(screen, { attributes: true, attributeFilter: ['class'] });
      OscillatorNode.prototype.start = function () { tones.push(this.frequency.value); };
      OscillatorNode.prototype.stop = () => {};
    })()`);
    const state = () => page.evaluate<[number, number[], number]>('[lit, tones, globalThis.moving]');
    const isDark = () => eventually(async () => (await page.locator('#screen.alarm').count()) === 0 || undefined);
    // f1: a write whose control has the alarm, and the keyboard restored
    const write = '00 00 00 0000 f1c6 114040 1d40';
    await host.send(`${write} c2 ffef`);
    await terminal.shows('B');
    await page.locator('#announcements, [role=status]').getByText('Alarm').first().waitFor();
    await isDark();
    expect(await state(), 'seen').to.deep.equal([1, [], 0]);
    await page.evaluate(`(() => {
      localStorage.setItem('sallyport-settings', '{"bell":true}');
      dispatchEvent(new StorageEvent('storage', { key: 'sallyport-settings' }));
    })()`);
    // one upon the other: what flickers can harm
    await host.send(`${write} c3 ffef ${write} c4 ffef ${write} c5 ffef`);
    await terminal.shows('E');
    await isDark();
    const [lit, tones] = await state();
    expect([lit, [...new Set(tones)], tones.length < 3], 'heard').to.deep.equal([2, [880], true]);
    // browsers that do not tell whether somebody has been here (Firefox before 120), and one that has no sound
    await page.evaluate(`(() => {
      Object.defineProperty(navigator, 'userActivation', { value: undefined });
      AudioContext.prototype.resume = () => Promise.reject(new Error('no'));
      OscillatorNode.prototype.start = () => { throw new Error('no sound'); };
    })()`);
    await host.send(`${write} c6 ffef`);
    await terminal.shows('F');
    await isDark();
    // what was typed is asked for
    await terminal.type('x');
    const asks = page.waitForEvent('dialog');
    void page.goto('about:blank').catch(() => {});
    const dialog = await asks;
    expect(dialog.type()).to.equal('beforeunload');
    await dialog.dismiss();
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });
});
