import { expect } from 'chai';
import type { BrowserContextOptions } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { PIXEL_TOLERANCE } from './pixels.js';
import { resized } from './resized.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};
const KEYBOARD_HEIGHT = 320;

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const isWithin = (inner: Edges, outer: Edges) =>
  inner.left >= outer.left - PIXEL_TOLERANCE &&
  inner.top >= outer.top - PIXEL_TOLERANCE &&
  inner.right <= outer.right + PIXEL_TOLERANCE &&
  inner.bottom <= outer.bottom + PIXEL_TOLERANCE;

const boxOf = (terminal: TerminalPage, selector: string) =>
  terminal.page.evaluate<Edges>(
    `(({ left, top, right, bottom }) => ({ left, top, right, bottom }))(
      document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
  );

describe('the terminal on a phone', () => {
  const here = siteInBrowser(startTerminalSite);
  const open = () => TerminalPage.atMenu(here.browser, named(here.site.url, '/TERMINAL.HTML+MENU'), phone);
  const textSize = async (terminal: TerminalPage) =>
    Number.parseFloat(await terminal.page.evaluate('getComputedStyle(document.querySelector("#screen")).fontSize'));

  it('shows all columns, upright and across, and the keys that the host names', async () => {
    const terminal = await open();
    await terminal.choose('1', 'BROWSE');
    const { page } = terminal;
    const keys = page.getByRole('group', { name: 'Keys of the host' });
    for (const [width, height] of [
      [390, 844],
      [844, 390],
    ] as const) {
      await resized(page, width, height);
      const { left, right } = await boxOf(terminal, '#screen .row');
      expect(left, `${width}`).to.be.at.least(-PIXEL_TOLERANCE);
      expect(right, `${width}`).to.be.at.most(width + PIXEL_TOLERANCE);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0);
      // the row is at the lower edge, wherever the page is scrolled to
      const { bottom } = await boxOf(terminal, '#host-keys');
      expect(bottom, `${height}`).to.be.within(height - 2, height + PIXEL_TOLERANCE);
      expect(await violations(page)).to.deep.equal([]);
    }
    const names = await keys.getByRole('button').allTextContents();
    expect(names[0]).to.match(/^Enter/);
    expect(names).to.include('F3 Menu');
    expect(await page.locator('#keypad').isVisible()).to.equal(false);
    await keys.getByRole('button', { name: 'F3 Menu' }).tap();
    await terminal.shows('Option ===>');
    await keys.getByRole('button', { name: 'F3 Log off' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    // the pad is behind a button of the row, which the keyboard finds, too; that of the bar is beyond the edge
    const pad = page.getByRole('button', { name: 'Keys', exact: true });
    const { left, right } = await boxOf(terminal, '#host-keys button[aria-expanded]');
    expect(left).to.be.at.least(-PIXEL_TOLERANCE);
    expect(right).to.be.at.most(390 + PIXEL_TOLERANCE);
    await terminal.press('Alt+k');
    expect(await page.evaluate('document.activeElement.parentElement.id')).to.equal('host-keys');
    await pad.tap();
    expect(await pad.getAttribute('aria-expanded')).to.equal('true');
    expect(await page.locator('#keypad').isVisible()).to.equal(true);
    expect(await violations(page)).to.deep.equal([]);
    await pad.tap();
    expect(await page.locator('#keypad').isVisible()).to.equal(false);
    // what is found is seen, in the first row, too
    await terminal.press('Control+f');
    await terminal.type('menu');
    await page.locator('.found-now').waitFor();
    const { top } = await boxOf(terminal, '.found-now');
    expect((await boxOf(terminal, '.find-bar')).bottom).to.be.at.most(top + PIXEL_TOLERANCE);
    await terminal.close();
  });

  it('has notices below its screen, where they hide nothing', async () => {
    const terminal = await open();
    await terminal.type('6');
    await terminal.press('Enter');
    await terminal.page.locator('.notice').getByText('X PROG 755').waitFor();
    const { bottom } = await boxOf(terminal, '#screen');
    expect((await boxOf(terminal, '.notice')).top).to.be.at.least(bottom - PIXEL_TOLERANCE);
    expect(await violations(terminal.page)).to.deep.equal([]);
    await terminal.close();
  });

  it('enlarges the field that is typed into while the keyboard of the phone is there', async () => {
    const terminal = await open();
    await terminal.choose('3', 'FORM');
    const { page } = terminal;
    const small = await textSize(terminal);
    await terminal.press('Tab', 'Tab');
    await page.setViewportSize({ width: 390, height: 844 - KEYBOARD_HEIGHT });
    // smaller letters have browsers zoom by themselves
    await eventually(async () => (await textSize(terminal)) >= 16 || undefined);
    await eventually(async () => {
      const field = await boxOf(terminal, '#screen input:focus');
      const row = await boxOf(terminal, '#host-keys');
      const isSeen = isWithin(field, { left: 0, right: 390, top: 0, bottom: row.top });
      return (isSeen && row.bottom <= 844 - KEYBOARD_HEIGHT + 1) || undefined;
    });
    // turned, the field is still above the row
    await page.setViewportSize({ width: 844, height: 390 - 190 });
    await eventually(async () => {
      const field = await boxOf(terminal, '#screen input:focus');
      const row = await boxOf(terminal, '#host-keys');
      return (field.top >= -PIXEL_TOLERANCE && field.bottom <= row.top + PIXEL_TOLERANCE) || undefined;
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await eventually(async () => (await textSize(terminal)) === small || undefined);
    const larger = page.getByRole('button', { name: 'Larger' });
    await larger.tap();
    expect(await larger.getAttribute('aria-pressed')).to.equal('true');
    // drawn with the next frame
    await eventually(async () => (await textSize(terminal)) >= 16 || undefined);
    await terminal.close();
  });
});
