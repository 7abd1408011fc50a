import { expect } from 'chai';
import type { CDPSession } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { expectPixels } from './pixels.js';
import { siteInBrowser } from './site-in-browser.js';
import { startTerminalSite, TerminalPage } from './terminal-page.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger on the screen of a phone. */
describe('the text of the terminal under a finger', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;
  let devtools: CDPSession;

  before(async () => {
    const address = new URL('/TERMINAL.HTML+TSO', here.site.url.replace('127.0.0.1', 'localhost')).href;
    terminal = await TerminalPage.atMenu(here.browser, address, {
      viewport: { width: 844, height: 390 },
      isMobile: true,
      hasTouch: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    devtools = await terminal.page.context().newCDPSession(terminal.page);
    await terminal.choose('1', 'BROWSE');
  });

  after(async () => {
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  async function pointOf(row: number, column: number): Promise<Point> {
    return terminal.page.evaluate(`(() => {
      const row = document.querySelectorAll('#screen .row')[${row - 1}];
      row.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = row.getBoundingClientRect();
      return { x: left + (${column} - 0.5) * width / 80, y: top + height / 2 };
    })()`);
  }

  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });

  it('is selected by resting and dragging, and copied from the bar beside it', async () => {
    const [first, last] = [await pointOf(5, 6), await pointOf(6, 12)];
    await touch('touchStart', first);
    await terminal.page.locator('#screen .selected').waitFor();
    await touch('touchMove', { x: (first.x + last.x) / 2, y: last.y });
    await touch('touchMove', last);
    await touch('touchEnd');
    const bar = terminal.page.getByRole('toolbar', { name: 'Selected text' });
    await bar.waitFor();
    const box = await terminal.page.locator('#screen .selected').boundingBox();
    expect([(box?.x ?? 0) < first.x + 1, (box?.height ?? 0) > last.y - first.y]).to.deep.equal([true, true]);
    expect(await violations(terminal.page)).to.deep.equal([]);
    // the ends are dragged by their handles, the last one beyond the first; each is as large as WCAG 2.5.5 wants
    const drag = async (corner: 'first' | 'last', to: Point) => {
      const handle = await terminal.page.locator(`.selection-handle[data-corner="${corner}"]`).boundingBox();
      const { x = 0, y = 0, width = 0, height = 0 } = handle ?? {};
      expectPixels([width, height], [44, 44], corner);
      await touch('touchStart', { x: x + width / 2, y: y + height / 2 });
      await touch('touchMove', to);
      await touch('touchEnd');
      await bar.waitFor();
    };
    const selected = async () =>
      terminal.page.evaluate<number[]>(`(() => {
        const box = document.querySelector('#screen .selected').style;
        return [box.left, box.top, box.width, box.height].map((value, at) => Math.round(parseFloat(value) * (at % 2 ? 24 : 80) / 100));
      })()`);
    await drag('last', await pointOf(7, 20));
    expect(await selected(), 'columns 6 to 20 of rows 5 to 7').to.deep.equal([5, 4, 15, 3]);
    await drag('first', await pointOf(6, 10));
    expect(await selected(), 'columns 10 to 20 of rows 6 to 7').to.deep.equal([9, 5, 11, 2]);
    await drag('last', await pointOf(5, 4));
    expect(await selected(), 'columns 4 to 10 of rows 5 to 6').to.deep.equal([3, 4, 7, 2]);
    await bar.getByRole('button', { name: 'Copy' }).tap();
    await terminal.says('Copied 2 lines');
    expect(await terminal.page.locator('.selection-handle').count()).to.equal(0);
    const copied = await terminal.page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.split('\n')).to.have.length(2);
    expect(await terminal.page.locator('#screen .selected').count()).to.equal(0);
  });

  it('pages by a swipe where the host has keys for it, and by a tap on the label', async () => {
    const swipe = async (from: Point, by: number) => {
      await touch('touchStart', from);
      await touch('touchMove', { x: from.x, y: from.y + by / 2 });
      await touch('touchMove', { x: from.x, y: from.y + by });
      await touch('touchEnd');
    };
    // what can be scrolled is scrolled first: here is all of it
    await terminal.page.setViewportSize({ width: 1000, height: 800 });
    await eventually(
      async () =>
        (await terminal.page.evaluate(`(() => {
        const { scrollHeight, clientHeight } = document.querySelector('#screen');
        return scrollHeight <= clientHeight && document.documentElement.scrollHeight <= innerHeight;
      })()`)) || undefined,
    );
    await terminal.free();
    await swipe(await pointOf(15, 30), -120);
    await terminal.shows('Row 18 of 60');
    await terminal.free();
    await swipe(await pointOf(8, 30), 120);
    await terminal.shows('Row 1 of 60');
    await terminal.free();
    const { x, y } = await pointOf(24, 18);
    await terminal.page.touchscreen.tap(x, y);
    await terminal.shows('Row 18 of 60');
  });
});
