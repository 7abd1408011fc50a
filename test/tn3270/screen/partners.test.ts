import { expect } from 'chai';
import { Terminal } from './terminal.js';

const LONGEST_TYPED_LINE = 1_024;
const MOST_SERVICES_BYTES = 1 << 16;

const ascii = (text: string) => new TextEncoder().encode(text);
const ebcdic = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

describe('a line terminal on the screen', () => {
  function line(text: string, codePage = 'cp037'): Terminal {
    const terminal = new Terminal({ codePage });
    terminal.screen.setPartner('line');
    terminal.screen.receiveLineData(ascii(text));
    return terminal;
  }

  it('writes lines, wraps and scrolls', () => {
    const terminal = line(`hello\r\n${'x'.repeat(81)}`);
    expect(terminal.text(0, 5)).to.equal('hello');
    expect(terminal.text(159, 2)).to.equal('xx');
    terminal.screen.receiveLineData(ascii('\r\nlast'.repeat(24)));
    expect(terminal.text(0, 4)).to.equal('last');
    expect(terminal.cursor).to.equal(23 * 80 + 4);
  });

  it('knows tabs, backspace, and characters that no code page has', () => {
    expect(line('a\tb\bc').text(0, 9)).to.equal('a       c');
    expect(line('日本').text(0, 2)).to.equal('日本');
  });

  it('follows the usual sequences (ECMA-48)', () => {
    expect(line('abc\x1b[2;5Hx').text(80, 5)).to.equal('    x');
    expect(line('abcdef\x1b[3D\x1b[K').text(0, 6)).to.equal('abc   ');
    expect(line('abc\x1b[2J').text(0, 3)).to.equal('   ');
    expect(line('abcdef\x1b[1;2H\x1b[2P').text(0, 6)).to.equal('adef  ');
    expect(line('abc\x1b[1;2H\x1b[@').text(0, 4)).to.equal('a bc');
    expect(line('a\r\nb\r\nc\x1b[2;1H\x1b[M').text(80, 1)).to.equal('c');
    expect(line('\x1b[31mr\x1b[1;7mb').screen.image.runs).to.deep.equal([
      { address: 0, length: 1, foreground: 0xf2, background: 0, highlighting: 0 },
      { address: 1, length: 1, foreground: 0xf2, background: 0, highlighting: 0xfa },
    ]);
    expect(line('\x1b]0;title\x07x').text(0, 1)).to.equal('x');
    expect(line('\x1b[99999999;99999999Hx').cursor).to.equal(1919);
  });

  it('goes to column 0 at a line feed where it edits the line itself, and only down where the host echoes', () => {
    expect(line('ab\nc').cursor).to.equal(81);
    const echoing = new Terminal();
    echoing.screen.setPartner('line');
    echoing.screen.hostEchoes = true;
    echoing.screen.receiveLineData(ascii('ab\nc'));
    expect(echoing.cursor).to.equal(80 + 3);
    const raw = line('');
    raw.screen.receiveLineData(ascii('ab\nc'), true);
    expect(raw.cursor, "TN3270E's NVT-DATA").to.equal(80 + 3);
  });

  it('scrolls within its margins, and inserts and deletes no lines outside of them (VT102)', () => {
    const rows = (terminal: Terminal) => Array.from({ length: 5 }, (_, row) => terminal.text(row * 80, 1)).join('');
    const lines = 'a\r\nb\r\nc\r\nd\r\ne\x1b[2;4r';
    expect(rows(line(`${lines}\x1b[4;1H\n\n`))).to.equal('ad  e');
    expect(rows(line(`${lines}\x1b[4;1H${'\n'.repeat(999)}`))).to.equal('a   e');
    expect(rows(line(`${lines}\x1b[2;1H\x1b[2L`))).to.equal('a  be');
    expect(rows(line(`${lines}\x1b[2;1H\x1b[999M`))).to.equal('a   e');
    expect(rows(line(`${lines}\x1b[5;1H\x1b[L\x1b[1;1H\x1b[M`))).to.equal('abcde');
    expect(rows(line(`${lines}\x1b[2;1H\x1bM`))).to.equal('a bce');
  });

  it('echoes what is typed and sends it by Enter, unless the host echoes', () => {
    const own = line('login: ').press("'demo", 'BackSpace', 'Enter');
    expect(own.sent).to.deep.equal([`line ${Buffer.from('dem\r\n').toString('hex')}`]);
    expect(own.text(7, 4)).to.equal('dem ');
    const hosts = line('login: ');
    hosts.screen.hostEchoes = true;
    expect(hosts.press("'d", 'Enter').sent).to.deep.equal(['line 64', 'line 0d00']);
    expect(hosts.text(7, 1)).to.equal(' ');
  });

  it('keeps a typed line up to its bound', () => {
    const terminal = line('');
    for (let typed = 0; typed <= LONGEST_TYPED_LINE; typed++) terminal.press("'x");
    expect(terminal.press('Enter').sent[0]?.length).to.equal('line '.length + 2 * (LONGEST_TYPED_LINE + 2));
  });

  it('takes any bytes', () => {
    const terminal = line('');
    for (let first = 0; first < 256; first++) {
      terminal.screen.receiveLineData(Uint8Array.of(first, 0x1b, first, 0x5b, first, 0x3b, 0x31, first, 0xc3, first));
    }
    expect(terminal.cursor).to.be.within(0, 1919);
  });
});

describe("the host's services on the screen", () => {
  function services(): Terminal {
    const terminal = new Terminal();
    terminal.screen.setPartner('services');
    terminal.screen.receiveServicesText(ebcdic('c1c215c340'));
    return terminal;
  }

  it('write text from the cursor on, new lines included', () => {
    const terminal = services();
    expect([terminal.text(0, 2), terminal.text(80, 1), terminal.cursor]).to.deep.equal(['AB', 'C', 82]);
  });

  it('get by Enter what was typed behind their text', () => {
    expect(services().press("'logoff", 'Enter').sent).to.deep.equal(['services 939687968686']);
  });

  it('answer in the row below what was typed, and scroll at the last row', () => {
    const terminal = services().press("'x", 'Enter');
    expect(terminal.cursor).to.equal(160);
    terminal.screen.receiveServicesText(ebcdic('c1'));
    expect([terminal.text(160, 1), terminal.text(80, 3)]).to.deep.equal(['A', 'C x']);
    // down to the last row, and one further
    terminal.screen.receiveServicesText(ebcdic(`${'15'.repeat(21)}c2`));
    expect([terminal.cursor, terminal.text(23 * 80, 1), terminal.text(0, 2)]).to.deep.equal([23 * 80 + 1, 'B', 'AB']);
    terminal.screen.receiveServicesText(ebcdic('15c3'));
    expect([terminal.cursor, terminal.text(23 * 80, 2), terminal.text(22 * 80, 1)]).to.deep.equal([
      23 * 80 + 1,
      'C ',
      'B',
    ]);
    expect(terminal.text(0, 3), 'the second row is the first').to.equal('C x');
    terminal.press("'y", 'Enter');
    expect([terminal.cursor, terminal.text(22 * 80, 2), terminal.sent.at(-1)]).to.deep.equal([
      23 * 80,
      'Cy',
      'services a8',
    ]);
    expect(terminal.press("'z", 'Enter').sent.at(-1), 'what was typed before is not sent again').to.equal(
      'services a9',
    );
  });

  it('scroll by what is too long for the row, and by more than there are rows', () => {
    const terminal = services();
    terminal.screen.receiveServicesText(ebcdic(`${'15'.repeat(22)}${'c1'.repeat(80)}`));
    expect([terminal.text(22 * 80, 2), terminal.cursor]).to.deep.equal(['AA', 23 * 80]);
    terminal.screen.receiveServicesText(ebcdic(`${'c215'.repeat(1_000)}c3`));
    expect([terminal.text(0, 1), terminal.text(22 * 80, 1), terminal.text(23 * 80, 2)]).to.deep.equal(['B', 'B', 'C ']);
    expect(terminal.cursor).to.equal(23 * 80 + 1);
    const long = new Uint8Array(MOST_SERVICES_BYTES + 1).fill(0xc5, 0, 2).fill(0x40, 2);
    terminal.screen.receiveServicesText(long);
    expect(terminal.cursor).to.be.within(23 * 80, 24 * 80 - 1);
  });

  it('take no other key', () => {
    const terminal = services().press('PF3');
    expect([terminal.error, terminal.sent]).to.deep.equal(['minusFunction', []]);
    expect(services().press('Clear').cursor).to.equal(0);
  });
});

describe('partners of the screen', () => {
  it('find a clear screen of the largest size', () => {
    const terminal = new Terminal({ model: '3279-4-E' });
    terminal.host('f5c3 c1c2');
    terminal.screen.setPartner('services');
    expect([terminal.screen.image.rows, terminal.text(0, 2)]).to.deep.equal([43, '  ']);
  });

  it('are needed to type for', () => {
    const terminal = new Terminal();
    terminal.screen.setPartner('none');
    expect(terminal.screen.keyboard.type('x')).to.equal('dropped');
    expect(terminal.screen.image.locked).to.equal(true);
  });

  it('bind other sizes, as far as the buffer goes, and give the old ones back', () => {
    const terminal = new Terminal({ model: '3279-4-E' });
    const rowsAfter = (record: string) => {
      terminal.host(record);
      return terminal.screen.image.rows;
    };
    const model2 = { rows: 24, columns: 80 };
    terminal.screen.bind({ default: { rows: 32, columns: 80 }, alternate: { rows: 43, columns: 80 } });
    expect([rowsAfter('f5c3'), rowsAfter('7ec3')]).to.deep.equal([32, 43]);
    terminal.screen.bind({ default: model2, alternate: { rows: 44, columns: 80 } });
    expect([rowsAfter('f5c3'), rowsAfter('7ec3')], 'too large').to.deep.equal([32, 43]);
    terminal.screen.bind({ default: model2, alternate: { rows: 23, columns: 80 } });
    expect([rowsAfter('f5c3'), rowsAfter('7ec3')], 'too small').to.deep.equal([32, 43]);
    terminal.screen.unbind();
    expect([rowsAfter('f5c3'), rowsAfter('7ec3')]).to.deep.equal([24, 43]);
  });
});
