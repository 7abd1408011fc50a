import { expect } from 'chai';
import { hotspotAt, hotspotLabels } from '../../client/terminal/model/hotspot-labels.js';

const COLUMNS = 80;

interface Typed {
  readonly row: number;
  readonly column: number;
  readonly length: number;
  readonly hidden?: boolean;
}

/** 24 rows with texts by their number; rows and columns count from 0. A field takes a position before it and one behind. */
function screenOf(texts: Readonly<Record<number, string>>, inputs: readonly Typed[] = [], attributes: number[] = []) {
  const cells = Array.from({ length: 24 }, (_, row) => [...(texts[row] ?? '').padEnd(COLUMNS)]).flat();
  const at = ({ row, column }: Typed) => row * COLUMNS + column - 1;
  const protectedField = { isProtected: true, isNonDisplayable: false, length: 0 };
  const fields = [
    ...inputs.map((input) => ({
      address: at(input),
      length: input.length,
      isProtected: false,
      isNonDisplayable: input.hidden === true,
    })),
    ...inputs.map((input) => ({ ...protectedField, address: at(input) + input.length + 1 })),
    ...attributes.map((address) => ({ ...protectedField, address })),
  ].sort((one, other) => one.address - other.address);
  return { rows: 24, columns: COLUMNS, cells, fields };
}

const option: Typed = { row: 2, column: 14, length: 8 };

function keysOf(text: string, row = 23): readonly (readonly [key: string, words: string, shown: string])[] {
  const screen = screenOf({ [row]: text });
  return hotspotLabels(screen).flatMap((label) =>
    label.kind === 'key'
      ? [[label.key, label.words, screen.cells.slice(label.position, label.position + label.length).join('')] as const]
      : [],
  );
}

describe('labels on the screen', () => {
  const lines: readonly (readonly [text: string, ...expected: (readonly [string, string, string])[]])[] = [
    // of applications that are used: ISPF, CUA panels, CICS
    ['F1=Help   F3=Menu', ['PF01', 'Help', 'F1=Help'], ['PF03', 'Menu', 'F3=Menu']],
    [
      ' F1=Help F2=Split F3=Exit',
      ['PF01', 'Help', 'F1=Help'],
      ['PF02', 'Split', 'F2=Split'],
      ['PF03', 'Exit', 'F3=Exit'],
    ],
    ['ENTER=Sign on   F12=Cancel', ['ENTER', 'Sign on', 'ENTER=Sign on'], ['PF12', 'Cancel', 'F12=Cancel']],
    ['PF3=End  PF15=Return', ['PF03', 'End', 'PF3=End'], ['PF15', 'Return', 'PF15=Return']],
    ['PF 1=HELP  2=SPLIT', ['PF01', 'HELP', 'PF 1=HELP'], ['PF02', 'SPLIT', '2=SPLIT']],
    [
      '1=Help  3=Menu  12=Cancel',
      ['PF01', 'Help', '1=Help'],
      ['PF03', 'Menu', '3=Menu'],
      ['PF12', 'Cancel', '12=Cancel'],
    ],
    ['F3 = Menu, F8 = Forward', ['PF03', 'Menu', 'F3 = Menu'], ['PF08', 'Forward', 'F8 = Forward']],
    ['F3:Exit F12-Cancel', ['PF03', 'Exit', 'F3:Exit'], ['PF12', 'Cancel', 'F12-Cancel']],
    ['F3 Exit   F5 Refresh', ['PF03', 'Exit', 'F3 Exit'], ['PF05', 'Refresh', 'F5 Refresh']],
    ['Press PF3 when you are ready', ['PF03', '', 'PF3']],
    ['PF3 Exit  PF5 Refresh', ['PF03', 'Exit', 'PF3 Exit'], ['PF05', 'Refresh', 'PF5 Refresh']],
    ['Press PF3.', ['PF03', '', 'PF3']],
    ['PA1=Attention   CLEAR=Again', ['PA1', 'Attention', 'PA1=Attention'], ['CLEAR', 'Again', 'CLEAR=Again']],
    ['F3=Menü  F8=Nächste Seite', ['PF03', 'Menü', 'F3=Menü'], ['PF08', 'Nächste Seite', 'F8=Nächste Seite']],
    ['F24=Last  F25=None', ['PF24', 'Last', 'F24=Last']],
  ];
  for (const [text, ...expected] of lines) {
    it(`finds the keys of ${text}`, () => expect(keysOf(text)).to.deep.equal(expected));
  }

  for (const text of ['F1 F2 F3 00 C1', 'C1F3=', 'ABF3=x', 'F0=None', 'F3', 'Enter: your name', 'X1=2', 'A3=Paper']) {
    it(`finds no key in ${text}`, () => expect(keysOf(text)).to.deep.equal([]));
  }

  it('takes numbers for keys in key lines only, and not beside a field', () => {
    expect(keysOf('1=Male  2=Female', 5)).to.deep.equal([]);
    const beside = screenOf({ 22: '1=Yes  2=No  Answer' }, [{ row: 22, column: 30, length: 1 }]);
    expect(hotspotLabels(beside)).to.deep.equal([]);
  });

  it('ends the words at an attribute, and takes none from what is typed', () => {
    const screen = screenOf({ 23: 'F3=Menu Ready' }, [], [23 * COLUMNS + 7]);
    expect(hotspotLabels(screen)).to.deep.include({
      kind: 'key',
      position: 23 * COLUMNS,
      length: 7,
      key: 'PF03',
      words: 'Menu',
    });
    const typed = screenOf({ 10: '    F3=Menu http://host/' }, [{ row: 10, column: 3, length: 40 }]);
    expect(hotspotLabels(typed)).to.deep.equal([]);
  });

  it('counts positions where characters are wide, or take two code units', () => {
    const screen = screenOf({});
    screen.cells.splice(23 * COLUMNS, 12, '漢', '', '😀', ' ', ...'F3=戻る'.replace('る', ''), 'る', '', ' ');
    const [label] = hotspotLabels(screen);
    expect(label).to.include({ kind: 'key', key: 'PF03', position: 23 * COLUMNS + 4 });
  });

  describe('of a menu', () => {
    const texts = {
      2: ' Option ===>',
      6: '     1   Members      list',
      7: '     2.  Accounts     inquire',
      14: '    10   Operator     order',
      16: '     X   Exit         log off',
      20: 'A message that begins with a letter',
    };

    it('are typed into the only field, or the one behind an arrow', () => {
      const expected = [
        ['1', '1'],
        ['2', '2.'],
        ['10', '10'],
        ['X', 'X'],
      ];
      for (const inputs of [[option], [{ row: 1, column: 70, length: 2 }, option]]) {
        const screen = screenOf(texts, inputs);
        const choices = hotspotLabels(screen).filter(({ kind }) => kind === 'choice');
        const shown = choices.map(({ position, length }) => screen.cells.slice(position, position + length).join(''));
        expect(choices.map((label, at) => [label.kind === 'choice' && label.text, shown[at]])).to.deep.equal(expected);
        expect(choices.every((label) => label.kind === 'choice' && label.field === 2 * COLUMNS + 14)).to.equal(true);
      }
    });

    it('are none where it is not clear what they are typed into, or nothing is numbered', () => {
      const two = [option, { row: 3, column: 14, length: 8 }].map((input) => ({ ...input, row: input.row + 9 }));
      expect(hotspotLabels(screenOf(texts, two))).to.deep.equal([]);
      expect(hotspotLabels(screenOf(texts, [{ ...option, hidden: true }]))).to.deep.equal([]);
      expect(hotspotLabels(screenOf({ 6: '  1  alone', 8: 'A word' }, [option]))).to.deep.equal([]);
    });
  });

  describe('that are links', () => {
    it('are addresses of the web, without what ends a sentence', () => {
      const screen = screenOf({ 4: 'See https://example.com/a?b=1&c=2, or (http://10.0.0.1:8080/x).' });
      expect(hotspotLabels(screen)).to.deep.equal([
        { kind: 'link', position: 4 * COLUMNS + 4, length: 29, url: 'https://example.com/a?b=1&c=2' },
        { kind: 'link', position: 4 * COLUMNS + 39, length: 22, url: 'http://10.0.0.1:8080/x' },
      ]);
    });

    for (const text of [
      'javascript:alert(1)',
      'ftp://host/',
      'https://',
      'https://bank.example@evil.example/',
      'http://[',
    ]) {
      it(`are not ${text}`, () => expect(hotspotLabels(screenOf({ 4: text }))).to.deep.equal([]));
    }
  });

  it('are found by a position', () => {
    const labels = hotspotLabels(screenOf({ 23: 'F3=Menu' }));
    const at = (column: number) => hotspotAt(labels, 23 * COLUMNS + column)?.kind;
    expect([at(0), at(6), at(7)]).to.deep.equal(['key', 'key', undefined]);
  });

  it('cost little on the largest screen', () => {
    const rows = Object.fromEntries(Array.from({ length: 24 }, (_, row) => [row, 'F1 '.repeat(26)]));
    expect(hotspotLabels(screenOf(rows))).to.deep.equal([]);
    expect(hotspotLabels(screenOf({ 23: '='.repeat(80) }))).to.deep.equal([]);
  });
});
