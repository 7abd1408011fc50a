import { expect } from 'chai';
import { extract, readTablePage } from '../../../src/tn3270/conversation/extract.js';
import {
  datePatternFault,
  type ExtractedValue,
  readValue,
  ValueFault,
  type ValueType,
} from '../../../src/tn3270/conversation/values.js';
import { picture } from './pictures.js';

const MOST_DIGITS = 40;

describe('values of screens', () => {
  const reads = (type: ValueType, text: string) => {
    const value = readValue(text, type);
    return value instanceof ValueFault ? `not ${value.expected}` : value;
  };
  const sound: ReadonlyArray<readonly [ValueType, string, ExtractedValue]> = [
    [{}, '  ADA LOVELACE  ', 'ADA LOVELACE'],
    [{ as: 'string' }, '   ', ''],
    [{ as: 'integer' }, '  00042', 42],
    [{ as: 'integer' }, '1,234-', -1234],
    [{ as: 'integer' }, '- 7', -7],
    [{ as: 'integer' }, '0-', 0],
    [{ as: 'integer' }, '9007199254740991', 9007199254740991],
    [{ as: 'decimal' }, '1,234.56', '1234.56'],
    [{ as: 'decimal' }, '1,234.56-', '-1234.56'],
    [{ as: 'decimal' }, '-    12.50', '-12.50'],
    [{ as: 'decimal' }, '12.50 CR', '-12.50'],
    [{ as: 'decimal' }, '12.50DB', '-12.50'],
    [{ as: 'decimal' }, '12.50+', '12.50'],
    [{ as: 'decimal' }, '.50', '0.50'],
    [{ as: 'decimal' }, '0000.50', '0.50'],
    [{ as: 'decimal' }, '0.00-', '0.00'],
    [{ as: 'decimal' }, '90071992547409910.10', '90071992547409910.10'],
    [{ as: 'decimal', decimalMark: ',' }, '1.234,56-', '-1234.56'],
    [{ as: 'boolean' }, ' y ', true],
    [{ as: 'boolean' }, 'NO', false],
    [{ as: 'date', pattern: 'DD.MM.YYYY' }, '29.02.2024', '2024-02-29'],
    [{ as: 'date', pattern: 'MM/DD/YY' }, '12/31/68', '2068-12-31'],
    [{ as: 'date', pattern: 'MM/DD/YY' }, '01/01/69', '1969-01-01'],
    [{ as: 'date', pattern: 'DDMMMYYYY' }, '05mar2026', '2026-03-05'],
    [{ as: 'date', pattern: 'YYYYDDD' }, '2024366', '2024-12-31'],
  ];
  for (const [type, text, value] of sound) {
    it(`${JSON.stringify(text)} as ${JSON.stringify(type)} is ${value}`, () => {
      expect(reads(type, text)).to.equal(value);
    });
  }

  const malformed: ReadonlyArray<readonly [ValueType, readonly string[]]> = [
    [{ as: 'integer' }, ['', '1.5', '12A', '1 2', '-1-', '--1', '1,23', '1,,234', '9007199254740993', '²']],
    [
      { as: 'decimal' },
      ['', '.', '1.', ',5', '1.2.3', '1,23.45', '12,34', '1.234,56', '-5CR', '$5.00', '***5.00', '1e5'],
    ],
    [{ as: 'decimal' }, ['1'.repeat(41), `${'1'.repeat(38)}.123`, 'X', 'CR', '12.50C']],
    [{ as: 'decimal', decimalMark: ',' }, ['1,234.56', '1.23,45']],
    [{ as: 'boolean' }, ['', 'X', 'MAYBE', 'constructor']],
    [{ as: 'date', pattern: 'DD.MM.YYYY' }, ['', '29.02.2023', '31.04.2024', '1.1.2024', '00.01.2024', '01.01.0000']],
    [{ as: 'date', pattern: 'YYYYDDD' }, ['2023366', '2024000']],
    [{ as: 'date', pattern: 'DDMMMYYYY' }, ['05XXX2026']],
    [{ as: 'date', pattern: 'MM/YYYY' }, ['01/2024']],
  ];
  for (const [type, texts] of malformed) {
    it(`${JSON.stringify(type)} is none of ${JSON.stringify(texts).slice(0, 60)}`, () => {
      for (const text of texts) expect(readValue(text, type), text).to.be.instanceOf(ValueFault);
    });
  }

  it('take as many digits as they may and no more', () => {
    expect(reads({ as: 'decimal' }, '1'.repeat(MOST_DIGITS))).to.equal('1'.repeat(MOST_DIGITS));
    expect(readValue('1'.repeat(MOST_DIGITS + 1), { as: 'decimal' })).to.be.instanceOf(ValueFault);
  });

  it('take patterns of 40 characters, and of no more', () => {
    const padded = (length: number) => `YYYY-MM-DD${'.'.repeat(length - 10)}`;
    expect(datePatternFault(padded(40))).to.equal(undefined);
    expect(datePatternFault(padded(41))).to.equal('a pattern has at most 40 characters');
  });

  it('take patterns that say one day', () => {
    expect([datePatternFault('DD.MM.YY'), datePatternFault('YYYYDDD')]).to.deep.equal([undefined, undefined]);
    for (const pattern of ['DD.MM', 'YYYY', 'DD.MM.YYYY DD', 'YYYYDDDMM', `${' '.repeat(40)}DDMMYY`]) {
      expect(datePatternFault(pattern), pattern).to.be.a('string');
    }
  });
});

describe('what is read from a screen', () => {
  const image = picture({
    text: ['Balance 1,234.50-  X', 'on two', 'rows', '12345'],
  });

  it('is all of it, or everything that is wrong', () => {
    expect(
      extract(image, {
        balance: { at: [1, 9], length: 10, as: 'decimal' },
        wrapped: { at: [1, 20], length: 5 },
        words: { area: [2, 1, 3, 10] },
      }),
    ).to.deep.equal({
      kind: 'done',
      values: { balance: '-1234.50', wrapped: 'X', words: 'on two\nrows' },
    });
    expect(
      extract(image, {
        name: { at: [1, 1], length: 7 },
        balance: { at: [1, 1], length: 7, as: 'decimal' },
        outside: { at: [25, 1], length: 1 },
        beyond: { at: [24, 80], length: 2 },
      }),
    ).to.deep.equal({
      kind: 'extractFault',
      faults: [
        { name: 'balance', expected: 'a decimal number with "." before its decimals' },
        { name: 'outside', expected: 'a place on the screen' },
        { name: 'beyond', expected: 'a place on the screen' },
      ],
    });
  });

  it('is no part of a number that goes on outside of its place', () => {
    const kindOf = (column: number, length: number) =>
      extract(image, { it: { at: [1, column], length, as: 'decimal' } }).kind;
    expect([kindOf(9, 9), kindOf(9, 8), kindOf(11, 8), kindOf(8, 11)]).to.deep.equal([
      'done',
      'extractFault',
      'extractFault',
      'done',
    ]);
    expect(extract(image, { it: { at: [4, 1], length: 4, as: 'integer' } }).kind).to.equal('extractFault');
  });

  it('is a value whatever its name', () => {
    const read = extract(image, { ['__proto__']: { at: [4, 1], length: 5, as: 'integer' } });
    expect(JSON.stringify(read)).to.equal('{"kind":"done","values":{"__proto__":12345}}');
  });

  it('is the rows of a table up to what ends it, and none that are blank', () => {
    const table = picture({
      text: ['DAY        AMOUNT', '01.02.2026   1.00', '', '02.02.2026   2.00-', 'END OF LIST', '9'],
    });
    const columns = {
      day: { column: 1, length: 10, as: 'date', pattern: 'DD.MM.YYYY' },
      amount: { column: 12, length: 7, as: 'decimal' },
    } as const;
    const rows = [
      { day: '2026-02-01', amount: '1.00' },
      { day: '2026-02-02', amount: '-2.00' },
    ];
    const until = { text: 'END OF LIST' };
    expect(readTablePage(table, { rows: [2, 24], columns, until })).to.deep.equal({ kind: 'done', rows, isLast: true });
    expect(readTablePage(table, { rows: [2, 4], columns })).to.deep.equal({ kind: 'done', rows, isLast: false });
    expect(readTablePage(table, { rows: [2, 4], columns, until }), 'the text stands below').to.deep.equal({
      kind: 'done',
      rows,
      isLast: true,
    });
    expect(readTablePage(table, { rows: [2, 6], columns })).to.deep.include({ kind: 'extractFault' });
    expect(readTablePage(table, { rows: [2, 25], columns }).kind).to.equal('extractFault');
    expect(readTablePage(table, { rows: [2, 4], columns: { wide: { column: 80, length: 2 } } }).kind).to.equal(
      'extractFault',
    );
  });
});
