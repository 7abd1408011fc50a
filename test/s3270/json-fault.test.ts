import { expect } from 'chai';
import { findJsonFault, JsonFaultFinder } from '../../src/s3270/json-actions.js';
import { randomFrom } from '../support/random.js';

const DEEPEST_JSON = 16;
const MOST_JSON_VALUES = 10_000;

/** Another reader's opinion. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('faults of JSON that scripts send', () => {
  for (const [text, line, column, isIncomplete] of [
    ['{"foo"}', 1, 7, false],
    ['{"action":"Query",}', 1, 19, false],
    ['{"action":"Query"}{"action":"Query"}', 1, 19, false],
    ['[1 2]', 1, 4, false],
    ['{\n "action": Query\n}', 2, 12, false],
    ['["a"\n,\n"b]', 3, 1, false],
    ['"\\x"', 1, 1, false],
    ['01', 1, 1, false],
    ['{"action":"Query"', 1, 18, true],
    ['{"action":', 1, 11, true],
    ['[\n[', 2, 2, true],
    [']', 1, 1, false],
    ['[}', 1, 2, false],
  ] as const) {
    it(`have a place: ${JSON.stringify(text)}`, () => {
      expect(findJsonFault(text)).to.include({ line, column, isIncomplete });
    });
  }

  it('are found where JSON.parse finds one, and nowhere else', () => {
    const random = randomFrom(41);
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"\\n\\u00e4"',
      '-1.5e3',
      '0',
      '00',
      'true',
      'nul',
      ' ',
      '\n',
      '"',
      '.5',
    ];
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 7) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join('');
      expect(findJsonFault(text) === undefined, text).to.equal(isJson(text));
    }
  });

  it('are arrays and objects that are too deep, whatever follows', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(findJsonFault(nested(DEEPEST_JSON))).to.equal(undefined);
    expect(findJsonFault('{"a":'.repeat(DEEPEST_JSON))).to.include({ isIncomplete: true });
    const what = 'more than 16 levels of arrays and objects';
    for (const [text, column] of [
      [nested(DEEPEST_JSON + 1), DEEPEST_JSON + 1],
      ['['.repeat(1_000_000), DEEPEST_JSON + 1],
      ['{"a":'.repeat(DEEPEST_JSON + 1), 5 * DEEPEST_JSON + 1],
    ] as const) {
      expect(findJsonFault(text)).to.deep.equal({ line: 1, column, what, isIncomplete: false });
    }
  });

  it('are values that are too many, in one line or in several', () => {
    const values = (count: number) => `[${'0,'.repeat(count - 2)}0]`;
    expect(findJsonFault(values(MOST_JSON_VALUES))).to.equal(undefined);
    const what = 'more than 10000 values and names';
    for (const text of [values(MOST_JSON_VALUES + 1), values(500_000), `[${'[],'.repeat(333_000)}[]]`])
      expect(findJsonFault(text)).to.include({ what, isIncomplete: false });
    const finder = new JsonFaultFinder();
    finder.addLine('[');
    for (let line = 1; line < MOST_JSON_VALUES; line++) expect(finder.addLine('{},')?.isIncomplete).to.equal(true);
    expect(finder.addLine('{}')).to.include({ what, isIncomplete: false });
  });

  it('are looked for in each line once, however many lines there are', () => {
    let looks = 0;
    const pattern = RegExp.prototype;
    const { test } = pattern;
    pattern.test = function counted(this: RegExp, text: string) {
      looks += text.length;
      return test.call(this, text);
    };
    try {
      const finder = new JsonFaultFinder();
      finder.addLine('[');
      const looksOf = (lines: number) => {
        looks = 0;
        for (let line = 0; line < lines; line++) expect(finder.addLine('1,')?.isIncomplete).to.equal(true);
        return looks;
      };
      const few = looksOf(500);
      expect(few).to.be.greaterThan(0);
      expect(looksOf(5_000)).to.equal(10 * few);
    } finally {
      pattern.test = test;
    }
  });
});
