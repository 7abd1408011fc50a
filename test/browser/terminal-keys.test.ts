import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { siteInBrowser } from './site-in-browser.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const applications = [
  ['1', 'BROWSE'],
  ['2', 'ACCT'],
  ['3', 'FORM'],
  ['4', 'COLOURS'],
  ['5', 'APL'],
  ['7', 'CLOCK'],
  ['8', 'LATE'],
  ['9', 'OPERATOR'],
] as const;

describe('the keyboard of the terminal in Chromium', () => {
  const here = siteInBrowser(startTerminalSite);
  let terminal: TerminalPage;

  beforeEach(async () => {
    terminal = await TerminalPage.atMenu(here.browser, named(here.site.url, '/TERMINAL.HTML+MENU'));
  });

  afterEach(async () => {
    const { complaints } = terminal;
    await terminal.close();
    expect(complaints).to.deep.equal([]);
  });

  const paste = (text: string) =>
    terminal.page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      const how = { clipboardData: data, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', how));
    }`);

  const time = async () => /\d\d:\d\d:\d\d/.exec(await terminal.text())?.[0] ?? '';

  it('opens every application, and leaves it with F3', async () => {
    for (const [option, name] of applications) {
      await terminal.choose(option, name);
      await terminal.press('F3');
    }
    await terminal.shows('Option ===>');
  });

  it('has PF13 to PF24 with Shift', async () => {
    for (let key = 1; key <= 12; key++) {
      const before = terminal.submits.length;
      await terminal.press(`Shift+F${key}`);
      await eventually(() => terminal.submits.length > before || undefined);
      expect(terminal.submits.at(-1)?.a).to.equal(`PF${key + 12}`);
      await terminal.shows('This key is not active');
      await terminal.free();
    }
  });

  it('inserts, deletes and erases', async () => {
    await terminal.choose('3', 'FORM');
    await terminal.press('Tab', 'Tab', 'Tab');
    await terminal.type('second');
    await terminal.press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Insert');
    await terminal.says('Insert');
    await terminal.type('a ');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('a second');
    await terminal.press('Escape', 'Delete', 'Delete');
    expect(await terminal.information()).to.not.include('Insert');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('a cond');
    await terminal.press('Control+End');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('a');
    await terminal.press('Control+Delete');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('');
    // erase input goes home, too
    await terminal.says('04/040');
  });

  it('deletes to the left, goes by words and empties a field', async () => {
    const remark = () => terminal.valueOf('Remark  . . . . . .');
    await terminal.choose('3', 'FORM');
    await terminal.press('Tab', 'Tab', 'Tab');
    await terminal.type('pay the rent');
    await terminal.press('Backspace', 'Backspace');
    expect(await remark()).to.equal('pay the re');
    await terminal.press('Control+ArrowLeft', 'Control+ArrowLeft');
    await terminal.says('10/044');
    await terminal.press('Control+ArrowRight');
    await terminal.says('10/048');
    await terminal.press('Shift+Backspace', 'Delete');
    expect(await remark(), 'what Shift and Backspace only went over').to.equal('pay there');
    await terminal.press('Control+u');
    expect(await remark()).to.equal('');
    await terminal.says('10/040');
    // at the beginning nothing is deleted, and nothing locks
    await terminal.press('Backspace');
    await terminal.says('10/040');
    await terminal.free();
  });

  it('locks at a letter in a numeric field, until Reset', async () => {
    await terminal.choose('3', 'FORM');
    await terminal.type('12x3');
    await terminal.says('X o NUM', 'This field accepts digits, minus and full stop', 'press Reset (Esc)');
    expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('12');
    await terminal.press('Escape');
    await terminal.free();
    await terminal.type('3');
    expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('123');
    await terminal.press('Enter');
    await terminal.says('X o MF', 'This field must be filled completely');
    expect(terminal.submits).to.have.length(1);
    await terminal.press('Escape');
    await terminal.type('12345678');
    await terminal.press('Enter');
    await terminal.shows('Amount: more than nothing');
  });

  it('goes on to the next field where one is full', async () => {
    await terminal.choose('3', 'FORM');
    await terminal.type('1234567812.50');
    expect(await terminal.valueOf('From account * . . (8 digits)')).to.equal('12345678');
    expect(await terminal.valueOf('Amount *  . . . . .')).to.equal('12.50');
    await terminal.press('Tab');
    await terminal.type('2026-11-21thanks');
    await terminal.press('Enter');
    await terminal.shows('The order is complete');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('thanks');
  });

  it('pastes over several fields: by tabs, and as a block of lines', async () => {
    await terminal.choose('3', 'FORM');
    await paste('12345678\t12.50\t2026-11-21\tby tabs');
    await terminal.press('Enter');
    await terminal.shows('The order is complete', 'by tabs');
    await terminal.free();
    await terminal.press('Control+Delete');
    await paste('87654321\r\n\r\n1.25\r\n\r\n2026-01-31\r\n\r\nby lines');
    await terminal.press('Enter');
    await terminal.shows('The order is complete', '87654321', '2026-01-31', 'by lines');
  });

  it('pastes from the clipboard of the system where the browser lets it', async () => {
    await terminal.choose('1', 'BROWSE');
    await terminal.page.evaluate(`{
      const box = document.createElement('textarea');
      document.body.append(box);
      box.value = 'FIND ACCT';
      box.select();
      document.execCommand('copy');
      box.remove();
      document.querySelector('#screen input').focus();
    }`);
    await terminal.press('Control+v', 'Enter');
    await terminal.shows('Row 2 of 60');
  });

  it('has Dup and Field Mark', async () => {
    await terminal.choose('3', 'FORM');
    await terminal.press('Tab', 'Tab', 'Tab');
    await terminal.type('a');
    await terminal.press('Shift+Home');
    await terminal.type('b');
    await terminal.press('Shift+Insert');
    expect(await terminal.valueOf('Remark  . . . . . .')).to.equal('a;b*');
    // Dup goes on to the next field, round the end
    await terminal.says('04/040');
    await terminal.press('Enter');
    await terminal.shows('From account: eight digits');
    const { f } = terminal.submits.at(-1) as { f: Record<string, string> };
    expect(Object.values(f).at(-1)).to.equal('a\u001eb\u001c');
  });

  it('sends nothing while 40 characters are typed, and all of it with Enter', async () => {
    await terminal.choose('1', 'BROWSE');
    const before = terminal.sent.length;
    const text = 'FIND '.padEnd(40, 'QWERTZ');
    await terminal.type(text);
    expect(await terminal.valueOf('Command ===>')).to.equal(text);
    expect(terminal.sent).to.have.length(before);
    await terminal.press('Enter');
    await terminal.shows('There is no member');
    expect(terminal.sent).to.have.length(before + 1);
    const { f } = terminal.submits.at(-1) as { f: Record<string, string> };
    expect(Object.values(f)).to.deep.equal([text]);
  });

  it('loses nothing typed while the host writes', async () => {
    await terminal.choose('7', 'CLOCK');
    for (const text of ['abc', 'def', 'ghi']) {
      const before = await time();
      await terminal.type(text);
      await eventually(async () => (await time()) !== before || undefined);
    }
    expect(await terminal.valueOf('Keep typing here:')).to.equal('abcdefghi');
  });

  it('sends what an input method has composed, as on phones and for accents, also while the host writes', async () => {
    const devtools = await terminal.page.context().newCDPSession(terminal.page);
    const compose = (text: string, replaced = {}) =>
      devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
        ...replaced,
      });
    const commit = (text: string) => devtools.send('Input.insertText', { text });
    const sent = async () => {
      const { length } = terminal.submits;
      await terminal.press('Enter');
      await eventually(() => terminal.submits.length > length || undefined);
      await terminal.free();
      return Object.values(terminal.submits.at(-1)?.f ?? {});
    };
    await terminal.choose('1', 'BROWSE');
    for (const text of ['r', 're', 'ré']) await compose(text);
    await commit('ré');
    await terminal.type('s');
    await terminal.shows('Command ===> rés ');
    await terminal.says('02/018');
    expect(await sent()).to.deep.equal(['rés']);
    // a key for the host ends it; like other keys it writes over what is there
    await terminal.type('abc');
    await terminal.press('ArrowLeft', 'ArrowLeft');
    await compose('x');
    await compose('xy');
    expect(await sent()).to.deep.equal(['axy']);
    // a word that stands there already is taken up
    await terminal.type('helo you');
    await compose('hello', { replacementStart: 0, replacementEnd: 4 });
    await commit('hello');
    await terminal.shows('Command ===> hello you ');
    expect(await sent()).to.deep.equal(['hello you']);
    // what has no room in its field is not typed into the next one
    await compose('0123456789'.repeat(5));
    await commit('0123456789'.repeat(5));
    await terminal.says('10 characters did not fit, from row 2, column 55 on');
    expect(await sent()).to.deep.equal(['0123456789'.repeat(4)]);
    await terminal.press('F3');
    await terminal.choose('7', 'CLOCK');
    const before = await time();
    await compose('ni');
    await eventually(async () => (await time()) !== before || undefined);
    await compose('nih');
    await commit('nih');
    expect(await sent()).to.deep.equal(['nih']);
  });

  it('types ahead while the host is at work', async () => {
    await terminal.choose('8', 'LATE');
    await terminal.type('1');
    await terminal.press('Enter');
    await terminal.says('X SYSTEM');
    await terminal.type('0.5');
    await terminal.says('3 typed ahead');
    await terminal.press('Enter');
    await terminal.type('2');
    await terminal.shows('That took 1 seconds');
    await terminal.shows('That took 0.5 seconds');
    await terminal.free();
    expect(await terminal.valueOf('Seconds . . .')).to.equal('2');
    expect(terminal.submits).to.have.length(3);
  });

  it('types no key for the host ahead that is only held', async () => {
    await terminal.choose('8', 'LATE');
    await terminal.type('1');
    await terminal.page.keyboard.down('Enter');
    await terminal.says('X SYSTEM');
    for (let repeats = 0; repeats < 5; repeats++) await terminal.page.keyboard.down('Enter');
    await terminal.page.keyboard.up('Enter');
    expect(await terminal.information()).to.not.include('typed ahead');
    await terminal.type('2');
    await terminal.says('1 typed ahead');
    await terminal.shows('That took 1 seconds');
    await terminal.free();
    expect(terminal.submits).to.have.length(2);
  });
});
