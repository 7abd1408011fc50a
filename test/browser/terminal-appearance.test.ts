import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TerminalSettings } from '../../src/terminal/settings/terminal-settings.js';
import { eventually } from '../support/eventually.js';
import { colourRules, violations } from './axe.js';
import { expectPixels, isWholePixels } from './pixels.js';
import { resized } from './resized.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

interface Measured {
  readonly cell: number;
  readonly line: number;
  readonly columns: number;
  readonly rows: number;
  /** The narrowest and the widest text of a row. */
  readonly widths: readonly [narrowest: number, widest: number];
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly room: readonly [width: number, height: number];
  readonly beyond: readonly [width: number, height: number];
  readonly pageBeyond: readonly [width: number, height: number];
}

const MEASURE = `(() => {
  const screen = document.querySelector('#screen');
  const style = getComputedStyle(document.querySelector('.console'));
  const number = (name) => Number.parseFloat(style.getPropertyValue(name));
  const rows = [...document.querySelectorAll('#screen .row')];
  const range = document.createRange();
  const widths = rows.map((row) => {
    range.selectNodeContents(row);
    return range.getBoundingClientRect().width;
  });
  const { left, top, width, height } = screen.getBoundingClientRect();
  const stage = document.querySelector('.stage').getBoundingClientRect();
  const page = document.documentElement;
  return {
    cell: number('--cell'), line: number('--line'), columns: number('--columns'), rows: number('--rows'),
    widths: [Math.min(...widths), Math.max(...widths)], left, top, width, height,
    room: [stage.width, stage.height],
    beyond: [screen.scrollWidth - screen.clientWidth, screen.scrollHeight - screen.clientHeight],
    pageBeyond: [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight],
  };
})()`;

const measure = (page: Page) => page.evaluate<Measured>(MEASURE);
const lengthsOf = ({ widths, left, top, width, height, room, beyond, pageBeyond }: Measured) => [
  ...[...widths, left, top, width, height],
  ...[...room, ...beyond, ...pageBeyond],
];

/** As another page of this browser sets them. */
const set = (page: Page, settings: Partial<TerminalSettings>) =>
  page.evaluate(`(() => {
    localStorage.setItem('sallyport-settings', ${JSON.stringify(JSON.stringify(settings))});
    dispatchEvent(new StorageEvent('storage', { key: 'sallyport-settings' }));
  })()`);

const colourOf = (page: Page, selector: string, property = 'color', pseudo = '') =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo)})['${property}']`,
  );

describe('how the terminal looks, as its user wants it', () => {
  const here = siteInBrowser(startTerminalSite);
  const address = (query = '') => named(here.site.url, `/TERMINAL.HTML+MENU${query}`);

  it('fills windows of any size with whole pixels', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    const { page } = terminal;
    for (const [width, height] of [
      [1024, 768],
      [1440, 900],
      [1920, 1080],
      [2560, 1440],
    ] as const) {
      await resized(page, width, height);
      const seen = await measure(page);
      const { cell, line, columns, rows, room } = seen;
      const size = `${width} x ${height}`;
      expect(Number.isInteger(cell) && Number.isInteger(line), size).to.equal(true);
      expect([seen.left, seen.top].every(isWholePixels), size).to.equal(true);
      expectPixels(seen.widths, [cell * columns, cell * columns], size);
      expect([...seen.beyond, ...seen.pageBeyond], size).to.deep.equal([0, 0, 0, 0]);
      // there is no room for a pixel more, in one direction at least
      const isFull = (cell + 1) * columns + 12 > room[0] || (cell + 1) * 1.88 * rows + 44 > room[1];
      expect(isFull, size).to.equal(true);
      expect((seen.width * seen.height) / (width * height), size).to.be.above(0.6);
    }
    await terminal.close();
  });

  it('keeps large screens readable, and scrolls where the window is too small for that', async () => {
    const wide = await TerminalPage.atMenu(here.browser, address('?ROWS=27&COLS=132'));
    await wide.choose('1', 'BROWSE');
    expect((await measure(wide.page)).cell).to.equal(9);
    await wide.close();
    const large = await TerminalPage.atMenu(here.browser, address('?ROWS=62&COLS=160'));
    await large.choose('1', 'BROWSE');
    const { cell, beyond, pageBeyond } = await measure(large.page);
    expect(cell).to.equal(7);
    expect(beyond[1]).to.be.above(0);
    expect(pageBeyond).to.deep.equal([0, 0]);
    // 62 rows of 15 pixels are 930
    await resized(large.page, 1920, 1080);
    const inFullHd = await measure(large.page);
    expect([inFullHd.cell, inFullHd.line, inFullHd.beyond[1]]).to.deep.equal([8, 15, 0]);
    await large.close();
  });

  it('takes the size that its user wants: by settings, the wheel with Ctrl, and keys', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    const { page } = terminal;
    const fitting = await measure(page);
    await set(page, { fontSize: 20 });
    const own = await measure(page);
    // 20 px of a font that is 0.602 em wide
    expect(own.cell).to.equal(12);
    expectPixels(own.widths, [960, 960]);
    await page.keyboard.press('Control++');
    expect((await measure(page)).cell).to.equal(13);
    await page.keyboard.press('Control+-');
    await page.keyboard.press('Control+-');
    expect((await measure(page)).cell).to.equal(11);
    await page.mouse.move(400, 300);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await eventually(async () => (await measure(page)).cell === 12 || undefined);
    await page.keyboard.up('Control');
    await page.keyboard.press('Control+0');
    const again = await measure(page);
    expect([again.cell, again.line, again.columns, again.rows]).to.deep.equal([
      fitting.cell,
      fitting.line,
      fitting.columns,
      fitting.rows,
    ]);
    expectPixels(lengthsOf(again), lengthsOf(fitting));
    const stored = 'JSON.parse(localStorage.getItem("sallyport-settings")).fontSize';
    await eventually(async () => (await page.evaluate(stored)) === 'fit' || undefined);
    await terminal.close();
  });

  it('does not move anything while it loads', async () => {
    const terminal = await TerminalPage.open(here.browser, named(here.site.url, '/TERMINAL.HTML+TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    const shifts = await terminal.page.evaluate(`new Promise((resolve) => {
      const moved = ({ sources }) => sources.map(({ node, previousRect, currentRect }) =>
        [node?.id || node?.className || node?.nodeName, JSON.stringify(previousRect), JSON.stringify(currentRect)].join(' '));
      new PerformanceObserver((list) => resolve(list.getEntries().flatMap(moved)))
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve([]), 100);
    })`);
    expect(shifts).to.deep.equal([]);
    await terminal.close();
  });

  it('has the theme of its settings, or what the system has', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address(), { colorScheme: 'light' });
    await terminal.choose('4', 'COLOURS');
    const { page } = terminal;
    const glass = () => colourOf(page, '#screen', 'backgroundColor');
    expect(await glass()).to.equal('rgb(251, 252, 254)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await glass()).to.equal('rgb(5, 8, 10)');
    const seen = new Set<string>();
    for (const theme of ['classic', '3279', 'light', 'high-contrast', 'solarized'] as const) {
      await set(page, { theme });
      seen.add(`${await glass()} ${await colourOf(page, '#screen .green')}`);
      expect(await violations(page, colourRules), theme).to.deep.equal([]);
    }
    expect(seen.size).to.equal(5);
    const ownColours = {
      background: '#ffffff',
      blue: '#0000ff',
      red: '#aa0000',
      pink: '#aa00aa',
      green: '#ccffcc',
      turquoise: '#006666',
      yellow: '#666600',
      white: '#000000',
      cursor: '#ff8800',
    };
    await set(page, { theme: 'own', ownColours });
    expect(await glass()).to.equal('rgb(255, 255, 255)');
    expect(await colourOf(page, '#screen .turquoise')).to.equal('rgb(0, 102, 102)');
    // what nobody could read is darker than it was wished
    const [red = 255] = (await colourOf(page, '#screen .green')).match(/\d+/g)?.map(Number) ?? [];
    expect(red).to.be.below(0x70);
    await set(page, {});
    expect(await glass()).to.equal('rgb(5, 8, 10)');
    await terminal.close();
  });

  it('shows the character under the cursor in reverse', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    const { page } = terminal;
    await terminal.type('ab');
    await terminal.press('ArrowLeft');
    expect(await colourOf(page, '.cursor', 'content', '::after')).to.include('b');
    expect(await colourOf(page, '.cursor', 'color', '::after')).to.equal(
      await colourOf(page, '#screen', 'backgroundColor'),
    );
    await terminal.press('Insert');
    expect(await colourOf(page, '.cursor', 'content', '::after')).to.equal('none');
    await terminal.close();
  });

  it('has the cursor of its settings, and lines through it', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address());
    const { page } = terminal;
    const cursor = async () => {
      const [width = '', height = ''] = await Promise.all(
        ['width', 'height'].map((name) => colourOf(page, '.cursor', name, '::before')),
      );
      return [Number.parseFloat(width), Number.parseFloat(height)] as const;
    };
    const animation = () => colourOf(page, '.cursor', 'animationName');
    const { cell, line } = await measure(page);
    expectPixels(await cursor(), [cell, line]);
    expect(await animation()).to.equal('none');
    await set(page, { cursorShape: 'bar', cursorBlink: true });
    const [width, height] = await cursor();
    expectPixels([height], [line]);
    expect(await animation()).to.equal('blink');
    expect(width).to.be.below(cell / 3);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await animation()).to.equal('none');
    await set(page, { cursorShape: 'underline' });
    expect((await cursor())[1]).to.be.below(line / 3);
    expect(await colourOf(page, '.cross-hair', 'display')).to.equal('none');
    await set(page, { crossHair: true });
    expect(await colourOf(page, '.cross-hair', 'display')).to.equal('block');
    const across = await colourOf(page, '.cross-hair', 'width', '::before');
    expectPixels([Number.parseFloat(across)], [cell * 80]);
    await terminal.close();
  });

  it('keeps borders, fields and cursor where the system has colours of its own', async () => {
    const terminal = await TerminalPage.atMenu(here.browser, address(), { forcedColors: 'active' });
    const { page } = terminal;
    await set(page, { theme: 'classic', crossHair: true });
    expect(await colourOf(page, '#screen', 'backgroundColor')).to.equal(
      await page.evaluate(`(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.backgroundColor = 'Canvas';
        return getComputedStyle(probe).backgroundColor;
      })()`),
    );
    expect(await colourOf(page, '.cursor', 'borderTopStyle', '::before')).to.equal('solid');
    await terminal.close();
  });
});
