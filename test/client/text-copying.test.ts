import { expect } from 'chai';
import { areaBetween, positionBeside, rowArea, wordAt } from '../../client/terminal/model/screen-area.js';
import { htmlTable, tableOf, tabSeparated } from '../../client/terminal/model/table-copying.js';

const COLUMNS = 40;

function screenOf(...rows: readonly string[]) {
  return {
    columns: COLUMNS,
    cells: rows.flatMap((row) => [...row.padEnd(COLUMNS)]),
    fields: [] as { address: number }[],
  };
}

describe('what of the screen is selected', () => {
  it('is the rectangle of two corners, whichever they are', () => {
    const area = { row: 1, column: 3, lastRow: 4, lastColumn: 10 };
    for (const [one, other] of [
      [43, 170],
      [170, 43],
      [50, 163],
      [163, 50],
    ] as const) {
      expect(areaBetween(one, other, COLUMNS)).to.deep.equal(area);
    }
  });

  it('is moved by arrows up to the edges', () => {
    const size = { rows: 3, columns: COLUMNS };
    expect(['Left', 'Up'].map((direction) => positionBeside(0, direction, size))).to.deep.equal([0, 0]);
    expect(['Right', 'Down'].map((direction) => positionBeside(0, direction, size))).to.deep.equal([1, COLUMNS]);
    expect(['Right', 'Down'].map((direction) => positionBeside(119, direction, size))).to.deep.equal([119, 119]);
  });

  it('is a word with what belongs to it: a data set, an amount, a name with its brackets apart', () => {
    const screen = screenOf('BROWSE SALLY.SAMPLE(ACCT01), 1.234,50-', '"quoted" 漢');
    const word = (at: number) => {
      const area = wordAt(screen, at);
      return (
        area &&
        screen.cells.slice(at - (at % COLUMNS) + area.column, at - (at % COLUMNS) + area.lastColumn + 1).join('')
      );
    };
    expect([word(8), word(22), word(30), word(6), word(42), word(0)]).to.deep.equal([
      'SALLY.SAMPLE',
      'ACCT01',
      '1.234',
      undefined,
      'quoted',
      'BROWSE',
    ]);
    expect(word(19), 'at a bracket').to.equal('SALLY.SAMPLE(ACCT01),');
    expect(rowArea(45, COLUMNS)).to.deep.equal({ row: 1, column: 0, lastRow: 1, lastColumn: COLUMNS - 1 });
  });
});

describe('a table of the screen', () => {
  const whole = (rows: number) => ({ row: 0, column: 0, lastRow: rows - 1, lastColumn: COLUMNS - 1 });

  it('is parted where two blanks or more stand below each other', () => {
    const screen = screenOf('Name      Lines  Changed by', 'ACCT01        7  Ann Lee', '', 'B           123  Bob');
    expect(tableOf(screen, whole(4))).to.deep.equal([
      ['Name', 'Lines', 'Changed by'],
      ['ACCT01', '7', 'Ann Lee'],
      ['', '', ''],
      ['B', '123', 'Bob'],
    ]);
  });

  it('is not parted at one blank, or at blanks that one row has text in', () => {
    const screen = screenOf('one two   four', 'a   b   c d');
    expect(tableOf(screen, whole(2))).to.deep.equal([['one two   four'], ['a   b   c d']]);
    expect(tableOf(screenOf('ab cd', 'ef gh'), whole(2))).to.deep.equal([['ab cd'], ['ef gh']]);
  });

  it('is parted where a field begins in each row, with one blank too', () => {
    const screen = screenOf('ab cd', 'ef gh');
    screen.fields.push({ address: 2 }, { address: COLUMNS + 2 });
    expect(tableOf(screen, whole(2))).to.deep.equal([
      ['ab', 'cd'],
      ['ef', 'gh'],
    ]);
  });

  it('is of the area only, and takes wide characters whole', () => {
    const screen = screenOf('xx12  34xx', 'xx56  78xx');
    expect(tableOf(screen, { row: 0, column: 2, lastRow: 1, lastColumn: 7 })).to.deep.equal([
      ['12', '34'],
      ['56', '78'],
    ]);
    const wide = screenOf('漢_  a', 'b_  c').cells.map((cell) => (cell === '_' ? '' : cell));
    wide.splice(COLUMNS, 2, 'b', ' ');
    expect(tableOf({ columns: COLUMNS, cells: wide, fields: [] }, whole(2))).to.deep.equal([
      ['漢', 'a'],
      ['b', 'c'],
    ]);
  });

  it('is empty where the area is', () => {
    expect(tableOf(screenOf('', ''), whole(2))).to.deep.equal([[], []]);
  });

  it('is lines of cells with tabs for a spreadsheet, and never a formula', () => {
    const table = [
      ['-12.50', '+3', '=1+1', '@x', '"a"', '1 000-'],
      ['===>', '-', '+49 30 1234', '12%', '', '-cmd'],
    ];
    expect(tabSeparated(table)).to.equal(
      `-12.50\t+3\t'=1+1\t'@x\t"""a"""\t1 000-\n'===>\t'-\t+49 30 1234\t12%\t\t'-cmd`,
    );
    expect(tabSeparated(tableOf(screenOf('a\u0009b  c'), whole(1)))).to.equal('a b\tc');
  });

  it('is a table of HTML, with its zeros, and with nothing that is markup', () => {
    expect(
      htmlTable([
        ['<b>', 'a&"b"'],
        ['0012', '=1'],
      ]),
    ).to.equal(
      `<table><tr><td>&lt;b&gt;</td><td>a&amp;&quot;b&quot;</td></tr>` +
        `<tr><td style="mso-number-format:'\\@'">0012</td><td>'=1</td></tr></table>`,
    );
  });
});
