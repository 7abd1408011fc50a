import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { resized } from './resized.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

/** Has printing tell what would be printed. */
const PRINTED = `window.print = () => {
  window.printed = [...document.querySelectorAll('.print-sheet section')].map((one) => one.textContent);
  window.printedAsSeen = document.querySelector('.print-sheet.as-seen') !== null;
  window.printedBeside = [...document.body.children]
    .filter((one) => getComputedStyle(one).display !== 'none' && !one.matches('.print-sheet, script'))
    .map((one) => one.id || one.tagName);
  dispatchEvent(new Event('afterprint'));
}`;

/** Finding, the screens before, printing and saving. */
describe('the screens of the terminal', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;
  let page: Page;

  before(async () => {
    terminal = await TerminalPage.open(here.browser, named(here.site.url, '/TERMINAL.HTML+TSO'));
    page = terminal.page;
    await page.evaluate(PRINTED);
    await terminal.shows('Userid');
    await terminal.free();
    await terminal.type('demo');
    await terminal.press('Tab');
    await terminal.type('demo');
    await terminal.press('Enter');
    await terminal.choose('1', 'BROWSE');
    await terminal.press('F8');
    await terminal.shows('Row 18 of 60');
    await terminal.free();
    await terminal.type('typed');
  });

  after(async () => {
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  const bar = () => page.getByRole('search');
  const dialog = () => page.getByRole('dialog', { name: 'Screens of this session' });
  const says = async (words: RegExp) =>
    eventually(
      async () =>
        words.test(
          (await await bar()
            .textContent()
            .catch(() => '')) ?? '',
        ) || undefined,
    );

  afterEach(async () => {
    if (await dialog().isVisible()) await page.keyboard.press('Escape');
  });

  it('are searched by Ctrl+F: marks, how many, the next one and the one before, Esc', async () => {
    await terminal.press('Control+f');
    await bar().waitFor();
    await page.keyboard.type('f3=');
    await says(/1 of 1/);
    const mark = await page.locator('#screen .found-now').boundingBox();
    const row = await page.locator('#screen .row').last().boundingBox();
    expect(Math.abs((mark?.y ?? 0) - (row?.y ?? 9_999))).to.be.below(2);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('row 18');
    await says(/1 of 1/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('TYPED');
    await says(/1 of 1/);
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    expect([await bar().isVisible(), await page.locator('#screen .found').count()]).to.deep.equal([false, 0]);
    await terminal.type('!');
    expect(await terminal.valueOf('Command ===>')).to.match(/^typed!/);
    await terminal.press('Backspace');
  });

  it('leave F3 to the host while something is sought', async () => {
    await terminal.press('Control+f');
    await bar().waitFor();
    await page.keyboard.press('F3');
    await terminal.shows('Option ===>');
    await terminal.free();
    await terminal.press('Escape');
    await bar().waitFor({ state: 'hidden' });
    await terminal.choose('1', 'BROWSE');
    await terminal.press('F8');
    await terminal.shows('Row 18 of 60');
    await terminal.free();
  });

  it('lead from what is not on this one to those before, newest first', async () => {
    await terminal.press('Control+f');
    await bar().waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('option ===>');
    await says(/Not found \(\d on earlier screens\)/);
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await dialog().getByRole('group').textContent()).to.include('Option ===>');
    expect(await dialog().textContent()).to.match(/\d of \d/);
    expect(await dialog().locator('.found-now').count()).to.equal(1);
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await terminal.press('Escape');
  });

  it('are paged through, with what was typed and without what was hidden', async () => {
    await terminal.press('Alt+PageUp');
    await dialog().waitFor();
    for (let pages = 0; pages < 20; pages++) await page.keyboard.press('Alt+PageUp');
    const first = (await dialog().getByRole('group').textContent()) ?? '';
    expect(first).to.match(/Userid {2}\. \. \. \. {2}demo/);
    expect(first.match(/demo/g), 'the password is none of it').to.have.length(1);
    expect(await dialog().locator('.history-title').textContent()).to.match(/^Screen 1, .*, left with Enter$/);
    expect(await dialog().getByRole('button', { name: 'Older' }).isDisabled()).to.equal(true);
    await page.keyboard.press('Alt+PageDown');
    expect(await dialog().getByRole('group').textContent()).to.include('Option ===>');
    await page.keyboard.press('Escape');
  });

  it('are as large as the window allows, with all that stands around them', async () => {
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
    const measured = async (wide: number, high: number) => {
      await resized(page, wide, high);
      return page.evaluate<{ letters: number; hidden: number; words: number }>(`(() => {
        const screen = document.querySelector('.screen.kept');
        return {
          letters: parseFloat(getComputedStyle(screen).fontSize),
          hidden: screen.scrollHeight - screen.clientHeight + screen.scrollWidth - screen.clientWidth,
          words: parseFloat(getComputedStyle(document.documentElement).fontSize),
        };
      })()`);
    };
    await terminal.press('Alt+PageUp');
    await dialog().waitFor();
    const tools = await measured(1440, 900);
    expect(tools.hidden).to.equal(0);
    expect(tools.letters).to.be.above(15);
    const wall = await measured(2560, 1440);
    expect(wall.hidden).to.equal(0);
    expect(wall.letters).to.be.above(25);
    expect([tools.words, wall.words]).to.deep.equal([16, 20]);
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await resized(page, width, height);
  });

  it('are compared with one that is marked', async () => {
    await terminal.press('Alt+o');
    await dialog().getByRole('button', { name: 'Compare with this one' }).click();
    expect(await dialog().textContent()).to.include('Differences from screen');
    await dialog().getByRole('button', { name: 'Newer' }).click();
    expect(await dialog().textContent()).to.match(/\d+ positions differ from screen \d, in \d+ rows/);
    expect(await dialog().locator('.changed').count()).to.be.above(5);
    expect(await violations(page, ['color-contrast'])).to.deep.equal([]);
    await page.keyboard.press('Escape');
  });

  it('are not offered as all of them where there is one', async () => {
    const other = await TerminalPage.open(here.browser, named(here.site.url, '/TERMINAL.HTML+CLEAR'));
    await other.shows('Userid');
    await other.free();
    await other.press('Alt+o');
    const screens = other.page.getByRole('dialog', { name: 'Screens of this session' });
    await screens.getByText(/^Screen 1/).waitFor();
    expect(await screens.getByRole('checkbox').count()).to.equal(1);
    await other.close();
  });

  it('are printed: this one, all, black on white or as seen, and saved', async () => {
    await terminal.press('Control+p');
    await eventually(
      async () => (await page.evaluate<string[] | undefined>('window.printed'))?.length === 1 || undefined,
    );
    expect(await page.evaluate('window.printed[0]'))
      .to.include('Row 18 of 60')
      .and.not.include('Disconnect');
    expect(await page.locator('.print-sheet').count()).to.equal(0);
    await terminal.press('Alt+o');
    await dialog()
      .getByLabel(/all \d+ screens/)
      .check();
    await dialog().getByLabel('print in colour').check();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(
      `[...document.querySelectorAll('dialog .answers button')].find(({ textContent }) => textContent === 'Print').click()`,
    );
    expect(await page.evaluate('window.printedBeside'), 'nothing else is on the paper').to.deep.equal([]);
    await page.emulateMedia({ media: null });
    const printed = await page.evaluate<string[]>('window.printed');
    expect(printed.length).to.be.above(3);
    expect(printed[0]).to.match(/^Screen 1, /);
    expect(await page.evaluate('window.printedAsSeen')).to.equal(true);
    const saved = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Save as text' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).to.match(/^screen-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.txt$/);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text)
      .to.include('Option ===>')
      .and.match(/^Screen 2, /m);
    const savedPage = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Save as page' }).click();
    const html = readFileSync(await (await savedPage).path(), 'utf8');
    expect(html)
      .to.match(/^<!DOCTYPE html>/)
      .and.include('Option ===&gt;')
      .and.not.include('<script');
    await page.keyboard.press('Escape');
  });

  it('are on paper what was on the screen, and nothing beside it', async () => {
    await terminal.press('Control+Delete');
    await terminal.type('typed');
    await page.emulateMedia({ media: 'print' });
    const looks = await page.evaluate(`(() => {
      const shown = (selector) => getComputedStyle(document.querySelector(selector)).display !== 'none';
      const input = getComputedStyle(document.querySelector('#screen input'));
      const text = getComputedStyle(document.querySelector('#screen .row span'));
      return {
        shown: ['.bar', '#information', '#screen', '#keypad', '.screen-overlay'].filter(shown),
        input: [input.boxShadow, input.color, input.backgroundColor],
        text: [text.color, text.textDecorationLine],
        width: document.querySelector('#screen .row').getBoundingClientRect().width,
      };
    })()`);
    expect(looks).to.deep.include({
      shown: ['#screen'],
      input: ['none', 'rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)'],
      text: ['rgb(0, 0, 0)', 'none'],
    });
    // A4 has 186 mm between these margins
    expect((looks as { width: number }).width).to.be.within(400, (186 / 25.4) * 96);
    await page.emulateMedia({ media: null });
  });
});
