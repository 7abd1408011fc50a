import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { siteInBrowser } from './site-in-browser.js';
import { SlowProxy } from './slow-proxy.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const DISCARDED = 'Keys that you typed before the page was ready were discarded.';
const BLANK = 'about:blank';
/** Everything that a page can keep, as text. */
const KEPT = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href,
  [...document.querySelectorAll('input')].map(({ value }) => value), Object.values(document.body.dataset)])`;

/** Input that the user makes after the first paint and before the session has answered. */
describe('keys before the terminal is ready', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;

  beforeEach(async () => {
    terminal = await TerminalPage.open(here.browser, BLANK);
  });

  afterEach(async () => {
    await terminal.page.unrouteAll({ behavior: 'ignoreErrors' });
    await terminal.close();
  });

  const address = (transaction: string) => named(here.site.url, `/TERMINAL.HTML+${transaction}`);

  /** Opens a page whose script does not arrive before the returned function is called. */
  async function openWithoutScript(transaction: string, painted: string): Promise<() => Promise<void>> {
    const { page } = terminal;
    const held: Route[] = [];
    await page.route('**/terminal.js', (route) => {
      held.push(route);
    });
    await page.goto(address(transaction), { waitUntil: 'commit' });
    await page.locator('#screen').getByText(painted).first().waitFor();
    return async () => {
      const [route] = await eventually(() => (held.length > 0 ? held : undefined));
      await route?.continue();
    };
  }

  /** Opens a page whose WebSocket brings nothing before the returned function is called. */
  async function openUnanswered(transaction: string, painted: string): Promise<() => void> {
    const { page } = terminal;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.routeWebSocket(/SvcSession/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => void released.then(() => socket.send(message)));
    });
    await page.goto(address(transaction));
    await page.locator('#screen').getByText(painted).first().waitFor();
    await page.locator('body.live').waitFor();
    return release;
  }

  it('are played in order when the script has come: two fields, Enter, and what the next screen is to get', async () => {
    const release = await openWithoutScript('TSO', 'Userid');
    await terminal.type('demo');
    await terminal.press('Tab');
    await terminal.type('demxo');
    await terminal.press('ArrowLeft', 'Backspace', 'Enter');
    await terminal.type('3');
    await terminal.press('Enter');
    const kept: string = await terminal.page.evaluate(KEPT);
    expect(kept).to.not.include('dem');
    await release();
    await terminal.shows('FORM ', 'Transfer order');
    expect(terminal.submits.map(({ a }) => a)).to.deep.equal(['ENTER', 'ENTER']);
    expect(await terminal.page.evaluate(KEPT)).to.not.match(/demo|demxo/);
    expect(terminal.complaints).to.deep.equal([]);
  });

  it('are played when the session answers', async () => {
    const release = await openUnanswered('MENU', 'Option ===>');
    await terminal.type('3');
    await terminal.press('Enter');
    await terminal.type('1000');
    expect(terminal.submits).to.deep.equal([]);
    release();
    await terminal.shows('Transfer order', '1000');
    expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('1000');
    expect(terminal.submits).to.have.length(1);
  });

  it('go to the field that was clicked, also where the page has disabled it', async () => {
    const release = await openWithoutScript('TSO', 'Userid');
    const { page } = terminal;
    const box = await page.locator('input[type="password"]').first().boundingBox();
    expect(await page.locator('input[type="password"]').first().isDisabled()).to.equal(true);
    await page.mouse.click((box?.x ?? 0) + 3, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await terminal.type('demo');
    // the second cell of the field beside it, on its row
    const user = await page.locator('#screen input').first().boundingBox();
    await page.mouse.click((user?.x ?? 0) + 2, (user?.y ?? 0) + (user?.height ?? 0) / 2);
    await terminal.type('demo');
    await terminal.press('Enter');
    await release();
    await terminal.shows('Option ===>', 'User . . : DEMO');
  });

  it('go where protected text was clicked, which refuses them', async () => {
    const release = await openWithoutScript('MENU', 'Option ===>');
    const place: { x: number; y: number } = await terminal.page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.querySelector('#screen pre'), NodeFilter.SHOW_TEXT);
      while (!walker.nextNode().data.includes('Option'));
      const range = document.createRange();
      const at = walker.currentNode.data.indexOf('Option');
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
    await terminal.page.mouse.click(place.x, place.y);
    await terminal.type('1');
    await release();
    await terminal.says('X <-o->');
    const rows = await terminal.lines();
    const row = rows.findIndex((line) => line.includes('Option'));
    const column = rows[row]?.indexOf('Option') ?? 0;
    const position = [row + 1, column + 1].map((one, at) => String(one).padStart(at + 2, '0')).join('/');
    await terminal.says(position);
    expect(await terminal.valueOf('Option ===>')).to.match(/^User/);
  });

  it('are discarded, and the user is told, where the host shows another screen by then', async () => {
    const release = await openWithoutScript('MENU', 'Option ===>');
    await terminal.type('2');
    await terminal.press('Enter');
    const { page } = terminal;
    // another page of the session sends a key meanwhile
    const form = page.locator('#screen-form');
    const action = (await form.getAttribute('action')) ?? '';
    const name = (await page.locator('#screen input[name^="V"]').first().getAttribute('name')) ?? '';
    const answer = await page.evaluate<string>(`fetch(${JSON.stringify(action)}, {
      method: 'POST',
      body: new URLSearchParams(${JSON.stringify({ pf: 'ENTER', [name]: '3' })}),
    }).then((response) => response.text())`);
    expect(answer).to.include('Transfer order');
    await release();
    await terminal.shows('FORM ', 'Transfer order');
    await terminal.says(DISCARDED);
    expect(terminal.submits).to.deep.equal([]);
  });

  it('are 1,000 at most; the user is told that the others were discarded', async () => {
    const release = await openUnanswered('MENU', 'Option ===>');
    const press = (count: number) =>
      terminal.page.evaluate(`for (let n = 0; n < ${count}; n++) document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', code: 'ArrowRight', bubbles: true, cancelable: true }))`);
    await press(1_001);
    release();
    await terminal.says(DISCARDED);
    const before = await terminal.page.evaluate<string>("document.querySelector('#information').textContent");
    // 1,000 positions to the right of where the cursor was, on a screen of 80 columns
    expect(before).to.include(rightOf(await cursorOfMenu(), 1_000));
  });

  it('of exactly the number that is kept are all played, without a word', async () => {
    const release = await openUnanswered('MENU', 'Option ===>');
    await terminal.page.evaluate(`for (let n = 0; n < 1000; n++) document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowRight', code: 'ArrowRight', bubbles: true, cancelable: true }))`);
    release();
    await terminal.says(rightOf(await cursorOfMenu(), 1_000));
    expect(await terminal.information()).to.not.include('discarded');
  });

  /** Where the host has put the cursor, as the screen message says it. */
  async function cursorOfMenu(): Promise<number> {
    const screen = await eventually(() => terminal.received.find((text) => text.startsWith('{"k":"s"')));
    return (JSON.parse(screen) as { u: number }).u;
  }

  function rightOf(address: number, positions: number): string {
    const at = (address + positions) % 1_920;
    return `${String(Math.floor(at / 80) + 1).padStart(2, '0')}/${String((at % 80) + 1).padStart(3, '0')}`;
  }

  it('that the browser has are left to it', async () => {
    const release = await openUnanswered('MENU', 'Option ===>');
    const kept = await terminal.page.evaluate(`['r', 'c', 'l', 't', 'ArrowLeft', 'F5', 'Home'].map((key) => {
      const how = { key, code: key, bubbles: true, cancelable: true };
      return [true, false].map((isCtrl) =>
        !document.body.dispatchEvent(new KeyboardEvent('keydown', { ...how, ctrlKey: isCtrl, altKey: !isCtrl })));
    })`);
    expect(kept).to.deep.equal([
      [false, true],
      [false, true],
      [false, true],
      [false, true],
      [true, false],
      [false, false],
      [true, true],
    ]);
    release();
  });

  it('fill the form where the tab has no WebSockets, and Enter posts it', async () => {
    await terminal.page.addInitScript("sessionStorage.setItem('sallyport-plain', '1')");
    const release = await openWithoutScript('TSO', 'Userid');
    await terminal.type('dexmo');
    await terminal.press('Backspace', 'Backspace', 'Backspace');
    await terminal.type('mo');
    await terminal.press('Tab');
    await terminal.type('demo');
    await terminal.press('Enter');
    await release();
    await terminal.page.getByText('User . . : DEMO').waitFor();
    expect(terminal.submits).to.deep.equal([]);
  });

  it('post the form where the script cannot be loaded', async () => {
    const { page } = terminal;
    const held: Route[] = [];
    await page.route('**/terminal.js', (route) => {
      held.push(route);
    });
    await page.goto(address('MENU'), { waitUntil: 'commit' });
    await page.locator('#screen').getByText('Option ===>').first().waitFor();
    await terminal.type('3');
    await terminal.press('Enter');
    await (await eventually(() => held[0])).abort();
    await page.locator('#screen').getByText('Transfer order').first().waitFor();
  });

  it('for a password that no script can encrypt go nowhere', async () => {
    const { page } = terminal;
    const held: Route[] = [];
    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await page.route('**/terminal.js', (route) => {
      held.push(route);
    });
    await page.goto(address('TSO'), { waitUntil: 'commit' });
    await page.locator('#screen').getByText('Userid').first().waitFor();
    await terminal.type('anna');
    await terminal.press('Tab');
    await terminal.type('geheim');
    await terminal.press('Enter');
    await (await eventually(() => held[0])).abort();
    await eventually(async () =>
      (await page.locator('#screen input').first().inputValue()) === 'anna' ? true : undefined,
    );
    expect(await page.evaluate(KEPT)).to.not.match(/geheim/i);
    expect(bodies.join('')).to.equal('');
  });

  it('are discarded, and the user is told, where the page turns out to have no WebSockets', async () => {
    const proxy = await SlowProxy.before(here.site.url);
    proxy.refusesUpgrades = true;
    const { page } = terminal;
    await page.goto(named(proxy.url, '/TERMINAL.HTML+MENU'));
    await terminal.type('2');
    await page.locator('body.plain').waitFor();
    expect(await page.getByRole('alert').textContent()).to.include(DISCARDED);
    expect(await page.locator('#screen input').first().inputValue()).to.equal('');
    await proxy.stop();
  });
});
