import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { PIXEL_TOLERANCE } from './pixels.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const SELECTED = '#screen .selected';

/** What users do with the text of the screen, with the clipboard of the browser. */
describe('the text of the terminal', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;

  // the clipboard is there over TLS, and under the name of this computer
  const address = () => new URL('/TERMINAL.HTML+TSO', here.site.url.replace('127.0.0.1', 'localhost')).href;

  before(async () => {
    terminal = await TerminalPage.atMenu(here.browser, address(), {
      permissions: ['clipboard-read', 'clipboard-write'],
      colorScheme: 'light',
    });
  });

  after(async () => {
    expect(terminal.complaints).to.deep.equal([]);
    await terminal.close();
  });

  beforeEach(async () => {
    // at the menu, whatever the test before left
    for (let left = 4; left > 0 && !(await terminal.text()).includes('Option ===>'); left--) {
      await terminal.press('Escape', 'Escape', 'F3');
      await terminal.free();
    }
    await terminal.press('Escape', 'Control+Delete');
  });

  const clipboard = () => terminal.page.evaluate<string>('navigator.clipboard.readText()');
  const write = (text: string) => terminal.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);

  /** The middle of a position; rows and columns count from 1. */
  async function pointOf(
    row: number,
    column: number,
    on = terminal,
  ): Promise<{ readonly x: number; readonly y: number }> {
    return on.page.evaluate(`(() => {
      const { left, top, width, height } = document.querySelectorAll('#screen .row')[${row - 1}].getBoundingClientRect();
      return { x: left + (${column} - 0.5) * width / 80, y: top + height / 2 };
    })()`);
  }

  async function drag(from: readonly [number, number], to: readonly [number, number], on = terminal): Promise<void> {
    const { mouse } = on.page;
    const [begin, end] = [await pointOf(...from, on), await pointOf(...to, on)];
    await mouse.move(begin.x, begin.y);
    await mouse.down();
    await mouse.move((begin.x + end.x) / 2, (begin.y + end.y) / 2, { steps: 2 });
    await mouse.move(end.x, end.y, { steps: 2 });
    await mouse.up();
  }

  const isSelected = async () => (await terminal.page.locator(SELECTED).count()) > 0;

  describe('selected', () => {
    it('is a rectangle that a mouse is dragged over, and the browser selects nothing itself', async () => {
      const { cursor } = { cursor: await terminal.page.locator('#information .place').textContent() };
      await drag([7, 6], [9, 18]);
      expect(await isSelected()).to.equal(true);
      expect(await terminal.page.evaluate('getSelection().toString()')).to.equal('');
      expect(await terminal.page.locator('#information .place').textContent(), 'the cursor stays').to.equal(cursor);
      await terminal.press('Control+c');
      expect(await clipboard()).to.equal('1   Members\n2   Accounts\n3   Form');
      await terminal.says('Copied 3 lines');
    });

    it('is as well what begins in a field, and is dropped by Esc and by typing', async () => {
      await terminal.type('abc');
      await drag([3, 15], [3, 3]);
      await terminal.press('Control+c');
      expect(await clipboard()).to.equal('ption ===> ab');
      await terminal.press('Escape');
      expect([await isSelected(), await terminal.information()].map(String)).to.not.include('true');
      await drag([3, 2], [3, 5]);
      await terminal.type('d');
      expect(await isSelected()).to.equal(false);
      expect(await terminal.valueOf('Option ===>')).to.include('abcd');
    });

    it('is a word by two clicks, a row by three, all by Ctrl+A', async () => {
      const { x, y } = await pointOf(3, 61);
      await terminal.page.mouse.dblclick(x, y);
      await terminal.press('Control+c');
      expect(await clipboard()).to.equal('DEMO');
      await terminal.says('Copied 4 characters');
      await terminal.page.mouse.click(x, y, { clickCount: 3 });
      await terminal.press('Control+c');
      expect(await clipboard()).to.match(/^ Option ===> .* User . . : DEMO$/);
      await terminal.press('Control+a', 'Control+c');
      expect((await clipboard()).split('\n')).to.have.length(24);
      await terminal.says('Copied 24 lines');
    });

    it('grows by Shift and arrows from the cursor on', async () => {
      await terminal.type('xyz');
      await terminal.press('Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown');
      await eventually(
        async () =>
          /Rows 3 to 4, columns 14 to 16/.test((await terminal.page.locator('#announcements').textContent()) ?? '') ||
          undefined,
      );
      await terminal.press('Control+c');
      expect(await clipboard()).to.equal('xyz\n');
      await terminal.press('ArrowRight');
      expect(await isSelected()).to.equal(false);
    });

    it('is drawn where the text is, with nothing that axe finds, and its bar beside it', async () => {
      await drag([7, 6], [9, 18]);
      const box = await terminal.page.locator(SELECTED).boundingBox();
      const [first, last] = [await pointOf(7, 6), await pointOf(9, 18)];
      const cell = (await pointOf(7, 7)).x - first.x;
      expect(box?.x).to.be.closeTo(first.x - cell / 2, 1);
      expect((box?.x ?? 0) + (box?.width ?? 0)).to.be.closeTo(last.x + cell / 2, 1);
      expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.above(last.y);
      expect(await violations(terminal.page)).to.deep.equal([]);
      await terminal.page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Copy' }).click();
      expect(await clipboard()).to.equal('1   Members\n2   Accounts\n3   Form');
      expect(await isSelected()).to.equal(false);
      await terminal.type('z');
      expect(await terminal.valueOf('Option ===>'), 'the keyboard stays with the terminal').to.match(/^z/);
    });

    it('has its bar at the other button of the mouse, which moves no cursor; once it is copied the words are in sight', async () => {
      const bar = terminal.page.getByRole('toolbar', { name: 'Selected text' });
      await drag([7, 6], [9, 18]);
      const [screen, below] = [
        await terminal.page.locator('#screen .row').last().boundingBox(),
        await bar.boundingBox(),
      ];
      const lower = (screen?.y ?? 0) + (screen?.height ?? 0);
      expect(below?.y, 'the last row is in sight').to.be.at.least(lower - PIXEL_TOLERANCE);
      await terminal.press('Control+c');
      await terminal.says('Copied 3 lines');
      expect(await bar.isVisible()).to.equal(false);
      const { x, y } = await pointOf(8, 8);
      await terminal.page.mouse.click(x, y, { button: 'right' });
      const box = await bar.boundingBox();
      expect(box?.x).to.be.closeTo(x, 1);
      expect(box?.y).to.be.closeTo(y, 1);
      await terminal.says('03/014');
      await bar.getByRole('button', { name: 'As table' }).click();
      await terminal.says('Copied a table: 3 rows, 2 columns');
      expect(await clipboard()).to.equal('1\tMembers\n2\tAccounts\n3\tForm');
      // beside what is selected it is the browser's
      const elsewhere = await pointOf(18, 40);
      await terminal.page.mouse.click(elsewhere.x, elsewhere.y, { button: 'right' });
      expect(await bar.isVisible()).to.equal(false);
      await terminal.says('03/014');
    });
  });

  describe('copied', () => {
    it('leaves the clipboard alone where nothing is selected', async () => {
      await write('before');
      await terminal.press('Control+c');
      expect(await clipboard()).to.equal('before');
    });

    it('can be put behind what was copied before', async () => {
      await drag([7, 10], [7, 16]);
      await terminal.press('Control+c');
      await drag([8, 10], [9, 17]);
      await terminal.press('Control+Shift+C');
      await terminal.says('Added 2 lines. 3 lines in all.');
      expect(await clipboard()).to.equal('Members\nAccounts\nForm');
    });

    it('is a table for a spreadsheet: ten lines, as text with tabs and as HTML', async () => {
      await terminal.choose('1', 'BROWSE');
      await drag([5, 5], [14, 79]);
      await terminal.press('Alt+t');
      await terminal.says('Copied a table: 10 rows, 4 columns');
      const lines = (await clipboard()).split('\n').map((line) => line.split('\t'));
      expect(lines).to.have.length(10);
      expect(lines.every((cells) => cells.length === 4)).to.equal(true);
      expect(lines[0]?.[0]).to.match(/^[A-Z0-9]+$/);
      const html = await terminal.page.evaluate<string>(`navigator.clipboard.read()
        .then(([item]) => item.getType('text/html')).then((blob) => blob.text())`);
      expect(html.match(/<tr>/g)).to.have.length(10);
    });

    it('is the field with the cursor', async () => {
      await terminal.type('3;x');
      await terminal.press('Alt+l');
      await terminal.says('Copied 3 characters');
      expect(await clipboard()).to.equal('3;x');
    });
  });

  describe('pasted', () => {
    it('tells what did not fit, has it again, and is undone', async () => {
      await terminal.choose('3', 'FORM');
      await write('12345678901234567890');
      await terminal.press('Control+v');
      await terminal.says('12 characters did not fit, from row 4, column 48 on. Alt+V pastes the rest at the cursor.');
      expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('12345678');
      await terminal.press('Home', 'Alt+v');
      await terminal.says('4 characters did not fit');
      expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('90123456');
      await terminal.press('Control+z');
      await terminal.says('The paste was undone.');
      expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('12345678');
      await terminal.press('Control+z');
      expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('');
    });

    it('says so where the keyboard is locked, or the text is too long', async () => {
      await write('x'.repeat(100_001));
      await terminal.press('Control+v');
      await terminal.says('Nothing was pasted: the text has more than 100000 characters.');
      await terminal.choose('3', 'FORM');
      await write('x');
      await terminal.press('Control+v');
      await terminal.says('X o NUM', '1 character did not fit');
      await terminal.press('Control+v');
      await terminal.says('Nothing was pasted: the keyboard is locked.');
    });
  });

  describe('that is a label', () => {
    it('is a key that a click presses, underlined under the pointer', async () => {
      await terminal.choose('1', 'BROWSE');
      const { x, y } = await pointOf(24, 18);
      await terminal.page.mouse.move(x, y);
      const line = await terminal.page.locator('#screen .hotspot').boundingBox();
      expect((line?.x ?? 0) < x && (line?.x ?? 0) + (line?.width ?? 0) > x).to.equal(true);
      await terminal.page.mouse.click(x, y);
      await terminal.shows('Row 18 of 60');
      expect(terminal.submits.at(-1)).to.include({ a: 'PF08' });
    });

    it('is the choice of a menu', async () => {
      const { x, y } = await pointOf(9, 6);
      await terminal.page.mouse.click(x, y);
      await terminal.shows('FORM ');
    });

    it('is text where the setting is off', async () => {
      await terminal.page.evaluate(`localStorage.setItem('sallyport-settings', '{"hotspots":false,"wheel":false}');
        dispatchEvent(new StorageEvent('storage', { key: 'sallyport-settings' }))`);
      await terminal.choose('1', 'BROWSE');
      const count = terminal.submits.length;
      const { x, y } = await pointOf(24, 18);
      await terminal.page.mouse.click(x, y);
      await terminal.page.mouse.wheel(0, 120);
      await terminal.says('24/018');
      expect(terminal.submits).to.have.length(count);
      await terminal.page.evaluate(`localStorage.removeItem('sallyport-settings');
        dispatchEvent(new StorageEvent('storage', { key: 'sallyport-settings' }))`);
    });
  });

  it('is paged through by the wheel, where the host offers the keys', async () => {
    const count = terminal.submits.length;
    const { x, y } = await pointOf(10, 20);
    await terminal.page.mouse.move(x, y);
    await terminal.page.mouse.wheel(0, 120);
    await terminal.choose('1', 'BROWSE');
    expect(terminal.submits, 'the menu has no such key').to.have.length(count + 1);
    await terminal.page.mouse.wheel(0, 120);
    await terminal.shows('Row 18 of 60');
    await terminal.free();
    await terminal.page.mouse.wheel(0, -120);
    await terminal.shows('Row 1 of 60');
  });

  describe('costs so many keystrokes and clicks as docs/use/terminal.md says:', () => {
    const counted = () => terminal.page.evaluate<number>('window.counted');

    before(() =>
      terminal.page.evaluate(`window.counted = 0;
        addEventListener('keydown', ({ key }) => { counted += /^(Shift|Control|Alt)$/.test(key) ? 0 : 1; }, true);
        addEventListener('click', () => { counted++; }, true);`),
    );

    it('a table of ten lines, without the paste into the spreadsheet', async () => {
      await terminal.choose('1', 'BROWSE');
      const begun = await counted();
      await drag([5, 5], [14, 79]);
      await terminal.press('Alt+t');
      await terminal.says('Copied a table: 10 rows, 4 columns');
      expect((await counted()) - begun).to.equal(3 - 1);
    });

    it('five balances, without the way to the spreadsheet and the paste there', async () => {
      await terminal.choose('2', 'ACCT');
      const begun = await counted();
      const { x, y } = await pointOf(10, 24);
      for (let account = 1; account <= 5; account++) {
        await terminal.type(`1000000${account}`);
        await terminal.press('Enter');
        await terminal.shows('Balance');
        await terminal.free();
        await terminal.page.mouse.dblclick(x, y);
        await terminal.press(account === 1 ? 'Control+c' : 'Control+Shift+C');
        await terminal.says(account === 1 ? 'Copied' : `${account} lines in all.`);
        if (account < 5) await terminal.press('F3');
        await terminal.shows('Account number . .');
        await terminal.free();
      }
      expect((await counted()) - begun).to.equal(66 - 2);
      const balances = (await clipboard()).split('\n');
      expect(balances).to.have.length(5);
      expect(balances.every((balance) => /^-?\d+\.\d\d$/.test(balance))).to.equal(true);
    });
  });

  it('is copied over http as well, where the browser has no other clipboard', async () => {
    const plain = await TerminalPage.atMenu(here.browser, named(here.site.url, '/TERMINAL.HTML+TSO'));
    expect(await plain.page.evaluate('navigator.clipboard === undefined')).to.equal(true);
    await plain.press('Control+a', 'Control+c');
    await plain.says('Copied 24 lines');
    expect((await clipboard()).split('\n')[2]).to.match(/^ Option ===>/);
    await drag([7, 6], [9, 18], plain);
    await plain.press('Alt+t');
    await plain.says('Copied a table: 3 rows, 2 columns');
    expect(await clipboard()).to.equal('1\tMembers\n2\tAccounts\n3\tForm');
    await plain.type('a');
    expect(await plain.valueOf('Option ===>'), 'the focus is back').to.match(/^a/);
    expect(plain.complaints).to.deep.equal([]);
    await plain.close();
  });
});
