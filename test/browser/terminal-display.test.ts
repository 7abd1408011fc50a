import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { SessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { violations } from './axe.js';
import { browserFor, leaveBrowser } from './shared-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const models = [
  [24, 80],
  [32, 80],
  [43, 80],
  [27, 132],
] as const;

/** What an element of the screen with a text looks like. */
const looks = (text: string) => `(() => {
  const all = [...document.querySelectorAll('#screen .row span')];
  const { color, textDecorationLine, animationName, backgroundColor, fontWeight } =
    getComputedStyle(all.find((one) => one.textContent.trim() === ${JSON.stringify(text)}));
  return { color, textDecorationLine, animationName, backgroundColor, fontWeight };
})()`;

/** Offset and width of each character that has a cell of its own, in columns of the screen. */
const CELLS = `(() => {
  const row = document.querySelector('#screen .row').getBoundingClientRect();
  const columns = Number(getComputedStyle(document.querySelector('#screen')).getPropertyValue('--columns'));
  const unit = row.width / columns;
  return [...document.querySelectorAll('.cell1, .cell2')].map((cell) => {
    const { left, width } = cell.getBoundingClientRect();
    return [cell.textContent, Math.round((left - row.left) / unit * 10) / 10, Math.round(width / unit * 10) / 10];
  });
})()`;

interface Look {
  readonly color: string;
  readonly textDecorationLine: string;
  readonly animationName: string;
  readonly backgroundColor: string;
  readonly fontWeight: string;
}

describe('the screen of the terminal in Chromium', () => {
  let browser: Browser | undefined;
  let site: SessionSite | undefined;
  let japanese: SessionSite | undefined;
  const host = new ScriptedHost();

  before(async function () {
    browser = await browserFor(this);
    site = await startTerminalSite({
      hosts: `HOST: { address: '127.0.0.1:${await host.listen()}', deviceType: IBM-3279-2-E }`,
      transactions: [
        'TSO: { applicationType: 1, application: SIM, crypt: CRYPT3270, page: TERMINAL.HTML }',
        'HOST: { applicationType: 1, application: HOST, page: TERMINAL.HTML }',
        'w2h: { applicationType: 4, application: W2H-DIR }',
      ].join('\n      '),
    });
    japanese = await startTerminalSite({ host: 'codePage: IBM939' });
  });

  after(async () => {
    await leaveBrowser();
    await site?.stop();
    await japanese?.stop();
    await host.close();
  });

  const atMenu = (path = '/TERMINAL.HTML+TSO', where = site) =>
    TerminalPage.atMenu(browser as Browser, named(where?.url ?? '', path));

  /** @param parts of the first record of the host */
  async function hosted(...parts: readonly string[]): Promise<TerminalPage> {
    const before = host.sockets.length;
    const opening = TerminalPage.open(browser as Browser, named(site?.url ?? '', '/TERMINAL.HTML+HOST'), {
      colorScheme: 'dark',
    });
    await eventually(() => host.sockets.length > before || undefined);
    for (const part of [AGREEMENT, BIND, ...parts]) await host.send(part);
    return opening;
  }

  for (const [rows, columns] of models) {
    it(`has ${rows} rows of ${columns} columns where that was asked for`, async () => {
      const terminal = await atMenu(`/TERMINAL.HTML+TSO?ROWS=${rows}&COLS=${columns}`);
      await terminal.choose('1', 'BROWSE');
      const lines = await terminal.lines();
      expect(lines).to.have.length(rows);
      expect(new Set(lines.map(({ length }) => length))).to.deep.equal(new Set([columns]));
      expect(lines.at(-1)).to.include('F3=Menu');
      const fits = 'document.documentElement.scrollWidth <= innerWidth';
      expect(await terminal.page.evaluate(fits)).to.equal(true);
      const [width, wanted]: [number, number] = await terminal.page.evaluate(`(() => {
        const { left, right } = document.querySelector('#screen .row').getBoundingClientRect();
        const glass = document.querySelector('#screen');
        return [glass.scrollWidth - glass.clientWidth, right - left];
      })()`);
      expect(width, 'nothing is cut off on a desktop').to.equal(0);
      expect(wanted).to.be.above(0);
      await terminal.close();
    });
  }

  it('shows each colour and each highlighting in a way of its own', async () => {
    const terminal = await atMenu();
    await terminal.choose('4', 'COLOURS');
    const look = (text: string) => terminal.page.evaluate<Look>(looks(text));
    const colours = ['blue', 'red', 'pink', 'green', 'turquoise', 'yellow', 'white'];
    const plain = await Promise.all(colours.map((colour) => look(`${colour} plain`)));
    expect(new Set(plain.map(({ color }) => color)).size).to.equal(colours.length);
    for (const [at, colour] of colours.entries()) {
      expect((await look(`${colour} underscore`)).textDecorationLine).to.equal('underline');
      expect((await look(`${colour} blink`)).animationName).to.equal('blink');
      const reverse = await look(`${colour} reverse`);
      expect(reverse.backgroundColor).to.equal(plain[at]?.color);
      expect(plain[at]).to.include({ textDecorationLine: 'none', animationName: 'none' });
      expect(plain[at]?.backgroundColor).to.equal('rgba(0, 0, 0, 0)');
    }
    expect((await look('intensified protected')).fontWeight).to.equal('700');
    const hidden = await terminal.page.locator('#screen input[type="password"]').inputValue();
    expect(hidden).to.equal('');
    expect(await terminal.page.content()).to.not.include('unseen');
    await terminal.close();
  });

  it('gives characters what they do not have of their own from their field, and shows the cursor in reverse fields', async () => {
    // intensified, protected: "AB", underscored "CD", pink "EF"; yellow in reverse: "GH", turquoise "IJ"; white in reverse, input: "KL"
    const terminal = await hosted(
      '00 00 00 0000 f5c3 114040 1de8 c1c2 2841f4 c3c4 280000 2842f3 c5c6 280000',
      '11c150 2903c0e042f641f2 c7c8 2842f5 c9d1 280000 11c260 2903c04042f741f2 13 d2d3 1df0 ffef',
    );
    await terminal.shows('ABCDEF', 'GHIJ', 'KL');
    const white = await terminal.page.evaluate<string>(
      "getComputedStyle([...document.querySelectorAll('#screen span')].find((one) => one.textContent.trim() === 'AB')).color",
    );
    expect(await terminal.page.evaluate(looks('CD'))).to.include({
      color: white,
      fontWeight: '700',
      textDecorationLine: 'underline',
    });
    expect(await terminal.page.evaluate(looks('EF'))).to.include({ fontWeight: '700' });
    const turquoise = await terminal.page.evaluate<Look>(looks('IJ'));
    expect(turquoise.backgroundColor).to.equal(turquoise.color);
    const seen = () =>
      terminal.page.evaluate<string[]>(`(() => {
        const input = getComputedStyle(document.activeElement);
        const block = getComputedStyle(document.querySelector('#screen .cursor'), '::before').backgroundColor;
        return [input.color, input.backgroundColor, input.webkitTextFillColor, block];
      })()`);
    const [color, background, letters, cursor] = await seen();
    expect([background, letters, cursor]).to.deep.equal([color, cursor, letters]);
    expect(color).to.equal(white);
    expect(letters).to.not.equal(color);
    await terminal.close();
  });

  it('has an input for keyboards of phones where there are no fields', async () => {
    // unformatted: "READY", the cursor on the second row
    const terminal = await hosted('00 00 00 0000 f5c3 114040 d9c5c1c4e8 11c150 13 ffef');
    await terminal.shows('READY');
    const { page } = terminal;
    const focused = () => page.evaluate('document.activeElement.ariaLabel');
    await eventually(async () => (await focused()) === 'Row 2, column 1' || undefined);
    const devtools = await page.context().newCDPSession(page);
    // as the browser hears of a keyboard on the glass
    await devtools.send('Input.imeSetComposition', { text: 'CES', selectionStart: 3, selectionEnd: 3 });
    await devtools.send('Input.insertText', { text: 'CES' });
    await devtools.send('Input.insertText', { text: 'N' });
    expect((await terminal.lines())[1]?.trimEnd()).to.equal('CESN');
    expect(await focused()).to.equal('Row 2, column 5');
    expect(await violations(page)).to.deep.equal([]);
    await terminal.press('Enter');
    // Enter, the cursor at 84, "READYCESN"
    await host.hears('7d c1d4 d9c5c1c4e8 c3c5e2d5 ffef');
    // fields take its place
    await host.send('00 00 00 0000 f5c3 114040 1d40 13 c1 114150 1df0 ffef');
    await eventually(async () => (await focused()) === 'Row 1, column 2' || undefined);
    expect(await page.locator('#screen input').count()).to.be.above(0);
    expect(await page.locator('.typing-place').count()).to.equal(0);
    await terminal.close();
  });

  it('keeps the other rows of a field where the browser changes one, and pastes what is dropped', async () => {
    // a field of two rows: "AB CD" at the end of the first one, and "EF" at the beginning of the second
    const terminal = await hosted(
      '00 00 00 0000 f5c3 114040 1d40 11c14b c1c2 40 c3c4 c5c6',
      '11c250 1df0 11c3f0 1d40 11c4c1 1df0 ffef',
    );
    await terminal.shows('AB CD');
    const { page } = terminal;
    const devtools = await page.context().newCDPSession(page);
    const fields = async () => [(await terminal.lines())[0]?.trim(), (await terminal.lines())[1]?.trim()];
    expect(await fields()).to.deep.equal(['AB CD', 'EF']);
    await page.mouse.click(...(await middleOf(0, 79)));
    // Option+Backspace of a Mac
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['DeleteWordBackward'], key: 'F24' });
    expect(await fields()).to.deep.equal(['AB DE', 'F']);
    // where nine characters have room
    const data = { items: [{ mimeType: 'text/plain', data: 'dropped here' }], dragOperationsMask: 1 };
    const drop = async (row: number, column: number) => {
      const [x, y] = await middleOf(row, column);
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await devtools.send('Input.dispatchDragEvent', { type, x, y, data });
      }
    };
    await drop(1, 55);
    await terminal.says('3 characters did not fit, from row 2, column 65 on');
    expect((await terminal.lines())[1]?.trimEnd()).to.equal(`F${' '.repeat(54)}dropped h`);
    await terminal.close();

    async function middleOf(row: number, column: number): Promise<[number, number]> {
      return page.evaluate(`(() => {
        const { left, top, width, height } = document.querySelectorAll('#screen .row')[${row}].getBoundingClientRect();
        return [left + (${column} + 0.5) * width / 80, top + height / 2];
      })()`);
    }
  });

  it('stops blinking for those who asked for less motion', async () => {
    const terminal = await TerminalPage.atMenu(browser as Browser, named(site?.url ?? '', '/TERMINAL.HTML+TSO'), {
      reducedMotion: 'reduce',
    });
    await terminal.choose('4', 'COLOURS');
    expect(await terminal.page.evaluate(looks('red blink'))).to.include({ animationName: 'none' });
    await terminal.close();
  });

  it('shows Japanese, two columns each', async () => {
    const terminal = await atMenu('/TERMINAL.HTML+TSO', japanese);
    await terminal.choose('6', 'JAPANESE');
    await terminal.shows('日本語の画面', '漢字');
    const cells: [string, number, number][] = await terminal.page.evaluate(CELLS);
    // row 5, column 4, behind the shift-out
    expect(cells.slice(0, 3)).to.deep.equal([
      ['日', 4, 2],
      ['本', 6, 2],
      ['語', 8, 2],
    ]);
    await terminal.close();
  });

  for (const [locale, refusal] of [
    ['en-GB', 'Option contains ☃ (U+2603), which the host’s code page lacks.'],
    ['de-CH', 'Option enthält ☃ (U+2603): Dieses Zeichen fehlt in der Codepage des Hosts.'],
    ['fr-BE', 'Option contient ☃ (U+2603), absent de la page de codes de l’hôte.'],
  ] as const) {
    it(`names a field that the server refuses by the words before it, for ${locale}`, async () => {
      const url = named(site?.url ?? '', '/TERMINAL.HTML+TSO');
      const terminal = await TerminalPage.open(browser as Browser, 'about:blank', { locale });
      // a page that is not told the characters of the host cannot refuse one itself
      await terminal.page.routeWebSocket(/SvcSession/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (!String(message).startsWith('{"k":"c"')) socket.send(message);
        });
      });
      await terminal.page.goto(url);
      await terminal.signOn();
      await terminal.page.keyboard.insertText('☃');
      await terminal.press('Enter');
      await terminal.says('Option ');
      expect(await terminal.page.locator('#information .words').textContent()).to.equal(refusal);
      await terminal.close();
    });
  }

  it('shows characters of a field in their own attributes, also while it is typed into', async () => {
    // (1,2) an input: AB in its own green, CD red, EF in yellow reverse; (2,2) another, without
    const terminal = await hosted(
      '00 00 00 0000 f5c3 114040 1d40 13 c1c2 2842f2 c3c4 2842f6 2841f2 c5c6 280000 404040 1df0',
      '11c150 1d40 e7e8 1df0 ffef',
    );
    const { page } = terminal;
    await terminal.shows('ABCDEF', 'XY');
    const drawn = () =>
      page.evaluate<[string, string, number][]>(`(() => {
        const row = document.querySelector('#screen .row').getBoundingClientRect();
        const unit = row.width / 80;
        return [...document.querySelectorAll('.drawn-fields span')].map((span) =>
          [span.textContent.trimEnd(), span.className, (span.getBoundingClientRect().left - row.left) / unit]);
      })()`);
    const first = await drawn();
    expect(first.map(([text, style]) => [text, style])).to.deep.equal([
      ['AB', 'green'],
      ['CD', 'red'],
      ['EF', 'yellow reverse'],
      ['', 'green'],
    ]);
    for (const [at, [, , column]] of first.entries()) expect(column).to.be.closeTo([1, 3, 5, 7][at] ?? -1, 0.05);
    const look = (name: string) =>
      page.evaluate<string[]>(`(() => {
        const input = document.querySelector('#screen input[aria-label="${name}"]');
        return [input.value, getComputedStyle(input).webkitTextFillColor];
      })()`);
    expect(await look('Row 1, column 2')).to.deep.equal(['ABCDEF', 'rgba(0, 0, 0, 0)']);
    expect((await look('Row 2, column 2'))[1]).to.not.equal('rgba(0, 0, 0, 0)');
    expect(await violations(page)).to.deep.equal([]);
    await page.emulateMedia({ media: 'print' });
    expect(await look('Row 1, column 2')).to.deep.equal(['ABCDEF', 'rgb(0, 0, 0)']);
    expect(await page.locator('.drawn-fields span').first().isVisible()).to.equal(false);
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    // what is typed has the attributes of the field (x3270: typing takes those of the character away)
    await terminal.press('ArrowRight', 'ArrowRight');
    await terminal.type('Z');
    expect((await drawn()).map(([text, style]) => [text, style])).to.deep.equal([
      ['ABZ', 'green'],
      ['D', 'red'],
      ['EF', 'yellow reverse'],
      ['', 'green'],
    ]);
    await terminal.press('Delete', 'Delete', 'Delete');
    expect(await drawn()).to.deep.equal([]);
    expect((await look('Row 1, column 2'))[1]).to.not.equal('rgba(0, 0, 0, 0)');
    // what the host writes meanwhile
    await host.send('00 00 00 0000 f1c3 114042 2842f5 d1 280000 ffef');
    await eventually(
      async () => (await drawn()).some(([text, style]) => `${text} ${style}` === 'J turquoise') || undefined,
    );
    // fields that are gone take it along
    await host.send('00 00 00 0000 f5c3 114040 1d40 13 c1 1df0 ffef');
    await terminal.shows(' A');
    await eventually(async () => (await drawn()).length === 0 || undefined);
    await terminal.close();
  });

  it('draws boxes, a column each', async () => {
    const terminal = await atMenu();
    await terminal.choose('5', 'APL');
    await terminal.shows(`┌${'─'.repeat(30)}┐`, '│ Graphic Escape draws the box', `└${'─'.repeat(30)}┘`);
    const cells: [string, number, number][] = await terminal.page.evaluate(CELLS);
    for (const [at, [, offset, width]] of cells.slice(0, 32).entries()) {
      expect([offset, width]).to.deep.equal([4 - 1 + at, 1]);
    }
    await terminal.close();
  });
});
