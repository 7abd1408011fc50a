import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { chromium, chromiumPath } from '../support/chromium.js';
import { HOST_NAME } from './shared-browser.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const devices: readonly (readonly [string, BrowserContextOptions])[] = [
  ['a desktop, dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['a laptop, light', { viewport: { width: 1280, height: 720 }, colorScheme: 'light' }],
  ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }],
];

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the screen looks like, pixel by pixel. */
describe('the looks of the terminal', () => {
  const here = siteInBrowser(startTerminalSite);

  const address = (application = 'MENU') => named(here.site.url, `/TERMINAL.HTML+${application}`);

  /** Each line of pixels through an area, as the colours that it has. */
  async function lines(page: Page, clip: Area, direction: 'across' | 'down'): Promise<string[][]> {
    const image = (await page.screenshot({ clip, scale: 'device' })).toString('base64');
    return page.evaluate(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${image}';
      await image.decode();
      const { width, height } = image;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const colour = (x, y) => data.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join(', ');
      const of = (count, at) => [...new Set(Array.from({ length: count }, (_, index) => at(index)))];
      return ${direction === 'across'}
        ? of(height, (y) => y).map((y) => of(width, (x) => colour(x, y)))
        : of(width, (x) => x).map((x) => of(height, (y) => colour(x, y)));
    })()`);
  }

  const background = async (page: Page): Promise<string> =>
    /\((.*)\)/.exec(await page.evaluate('getComputedStyle(document.querySelector("#screen")).backgroundColor'))?.[1] ??
    '';

  const boxOf = (page: Page, selector: string, at: number) =>
    page.evaluate(`(() => {
      const all = [...document.querySelectorAll('#screen ${selector}')];
      const { left, top, width, height } = all.at(${at}).getBoundingClientRect();
      return { left, top, width, height };
    })()`) as Promise<{ left: number; top: number; width: number; height: number }>;

  for (const [device, options] of devices) {
    it(`draws boxes without gaps on ${device}`, async () => {
      const terminal = await TerminalPage.atMenu(here.browser, address(), options);
      await terminal.choose('5', 'APL');
      const { page } = terminal;
      const corner = await boxOf(page, '.drawn', 0);
      const [x, y] = [corner.left + corner.width / 2, corner.top + corner.height / 2];
      const glass = await background(page);
      // as much as can be seen without scrolling, and two pixels to both sides
      const across = await lines(page, { x: x + 2, y: y - 2, width: 12 * corner.width, height: 4 }, 'across');
      expect(across.filter((line) => line.length === 1 && line[0] !== glass)).to.not.deep.equal([]);
      const down = await lines(page, { x: x - 2, y: y + 2, width: 4, height: 2 * corner.height - 4 }, 'down');
      expect(down.filter((line) => line.length === 1 && line[0] !== glass)).to.not.deep.equal([]);
      expect((await terminal.lines()).join('\n'), 'it is text all the same').to.include('┌──────');
      await terminal.close();
    });

    it(`has rows in reverse that touch each other on ${device}, and no lines that nobody asked for`, async () => {
      const terminal = await TerminalPage.atMenu(here.browser, address(), options);
      await terminal.choose('4', 'COLOURS');
      const { page } = terminal;
      const [first, second] = [await boxOf(page, '.reverse', 0), await boxOf(page, '.reverse', 1)];
      expect(second.top - first.top - first.height).to.equal(0);
      // between two letters there are two colours, one above the other, and nothing between them
      const seams = await lines(page, { x: first.left, y: first.top + 2, width: 40, height: first.height }, 'down');
      const glass = await background(page);
      expect(seams.filter((line) => line.length === 2 && !line.includes(glass))).to.not.deep.equal([]);
      const underscored = await page.evaluate(`[...document.querySelectorAll('#screen .row')]
        .flatMap((row, at) => [...row.querySelectorAll('.underscore')].map((one) => [at, one.textContent.trim()]))
        .filter(([, text]) => !text.endsWith('underscore'))`);
      expect(underscored).to.deep.equal([]);
      await terminal.close();
    });
  }

  it('has one line below a field that the host underscores', async () => {
    const terminal = await TerminalPage.open(here.browser, address('TSO'));
    await terminal.shows('Userid');
    await terminal.free();
    await terminal.type('demo');
    const looks = await terminal.page.evaluate(`(() => {
      const { textDecorationLine, boxShadow } = getComputedStyle(document.querySelector('#screen input.underscore'));
      return [textDecorationLine, boxShadow === 'none'];
    })()`);
    expect(looks).to.deep.equal(['none', false]);
    await terminal.close();
  });

  it('stays where it is when the first key is pressed, in a browser whose scrollbars take room', async () => {
    const withScrollbars = await chromium.launch({
      executablePath: chromiumPath() ?? '',
      ignoreDefaultArgs: ['--hide-scrollbars'],
      args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${HOST_NAME} 127.0.0.1`],
    });
    try {
      for (const [width, height] of [
        [1440, 900],
        [1280, 720],
      ] as const) {
        const terminal = await TerminalPage.open(withScrollbars, address('TSO'), { viewport: { width, height } });
        await terminal.shows('Userid');
        await terminal.free();
        const place = () =>
          terminal.page.evaluate(`(() => {
            const { left, top, width, height } = document.querySelector('#screen').getBoundingClientRect();
            return [left, top, width, height, scrollX, scrollY];
          })()`);
        const before = await place();
        await terminal.type('d');
        expect(await place()).to.deep.equal(before);
        await terminal.press('Tab', 'Enter');
        await terminal.free();
        expect(await place()).to.deep.equal(before);
        await terminal.close();
      }
    } finally {
      await withScrollbars.close();
    }
  });

  for (const [device, options] of devices) {
    it(`has a line below each field where colours are forced, on ${device}`, async () => {
      const terminal = await TerminalPage.atMenu(here.browser, address(), { ...options, forcedColors: 'active' });
      await terminal.choose('3', 'FORM');
      const { page } = terminal;
      // the first one has the cursor
      for (const at of [1, 2, 3]) {
        const { left, top, width, height } = await boxOf(page, 'input', at);
        const clip = { x: left + 1, y: top + height - 2, width: width - 2, height: 2 };
        expect((await lines(page, clip, 'across')).flat(), `field ${at}`).to.include('255, 255, 255');
      }
      await terminal.close();
    });
  }
});
