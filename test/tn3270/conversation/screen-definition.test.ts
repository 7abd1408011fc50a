import { expect } from 'chai';
import fc from 'fast-check';
import { differences, indistinct, isScreen, recognise } from '../../../src/tn3270/conversation/screen-definition.js';
import type { ScreenCondition } from '../../../src/tn3270/screen/screen-condition.js';
import { Terminal } from '../screen/terminal.js';
import { picture } from './pictures.js';

const screen = picture({
  text: [' MENU', '', ' Option ===>', ...Array<string>(20).fill(''), ' ENTER=Select   F3=Log off'],
  cursor: 2 * 80 + 13,
  fields: [
    { address: 0, attribute: 0x20 },
    { address: 2 * 80 + 12, attribute: 0x10 },
    { address: 2 * 80 + 21, attribute: 0x28 },
    { address: 5 * 80, attribute: 0x0c },
    { address: 5 * 80 + 9, attribute: 0x20 },
  ],
});
const one = (condition: ScreenCondition) => differences({ name: 'ONE', conditions: [condition] }, screen);

describe('screen definitions', () => {
  const holding: readonly ScreenCondition[] = [
    { text: 'MENU' },
    { text: 'MENU', row: 1 },
    { text: 'MENU', row: 1, column: 2 },
    { text: 'MENU', row: -24, column: 2 },
    { text: 'MENU', column: 2 },
    { text: 'F3=Log off', row: -1 },
    { text: 'Option', area: [3, 1, 3, 10] },
    { text: 'ENTER', area: [-2, 2, -1, 80] },
    { not: { text: 'ACCT' } },
    { not: { not: { text: 'MENU' } } },
    { not: { text: 'MENU', row: 25 } },
    { fields: 5 },
    { inputFields: 2 },
    { cursor: [3, 14] },
    { attribute: { at: [3, 14], protected: false, numeric: true } },
    { attribute: { at: [3, 23], protected: true, intensified: true } },
    { attribute: { at: [6, 4], nonDisplayable: true } },
  ];
  for (const condition of holding) {
    it(`hold: ${JSON.stringify(condition)}`, () => {
      expect(one(condition)).to.deep.equal([]);
    });
  }

  const failing: ReadonlyArray<readonly [ScreenCondition, string]> = [
    [{ text: 'menu' }, '"menu": it is not there'],
    [{ text: '' }, 'an empty text never matches'],
    [{ text: 'MENU', row: 2 }, '"MENU" in row 2: it is not there'],
    [{ text: 'ACCT', row: 1, column: 2 }, '"ACCT" at row 1, column 2: there is "MENU"'],
    [{ text: 'MENU', column: 3 }, '"MENU" in column 3: it is not there'],
    [{ text: 'MENU', row: 25 }, '"MENU" in row 25: the screen has 24 rows of 80 columns'],
    [{ text: 'MENU', row: 0 }, '"MENU" in row 0: the screen has 24 rows of 80 columns'],
    [{ text: 'MENU', row: 1, column: 81 }, '"MENU" at row 1, column 81: the screen has 24 rows of 80 columns'],
    [{ text: 'ENU', area: [1, 4, 1, 9] }, '"ENU" within rows 1 to 1, columns 4 to 9: it is not there'],
    [{ text: 'X', area: [2, 1, 1, 9] }, '"X" within rows 2 to 1, columns 1 to 9: the screen has 24 rows of 80 columns'],
    [{ not: { text: 'MENU' } }, '"MENU" must not match'],
    [{ fields: 4 }, '4 fields: there are 5'],
    [{ inputFields: 1 }, '1 input fields: there are 2'],
    [{ cursor: [1, 1] }, 'the cursor at row 1, column 1: it is at row 3, column 14'],
    [
      { attribute: { at: [3, 14], protected: true, numeric: true, intensified: true } },
      'row 3, column 14 protected, numeric, intensified: it is not protected, not intensified',
    ],
    [{ blank: true }, 'a blank screen: something is displayed'],
  ];
  for (const [condition, words] of failing) {
    it(`do not hold: ${JSON.stringify(condition)}`, () => {
      expect(one(condition)).to.deep.equal([words]);
    });
  }

  it('see no text over the end of a row, and count positions where a character takes two of them', () => {
    const is = (condition: ScreenCondition, text: readonly string[], columns: number) =>
      isScreen({ name: 'A', conditions: [condition] }, picture({ rows: 2, columns, text }));
    expect(is({ text: 'MAIN' }, ['abMA', 'INcd'], 4)).to.equal(false);
    expect(is({ text: 'INcd' }, ['abMA', 'INcd'], 4)).to.equal(true);
    // the right half of a character is a position without a code unit
    const wide = ['\uff21\ue000\uff22\ue000', 'MENU'];
    expect(is({ text: 'MENU', row: 2 }, wide, 4)).to.equal(true);
    expect(is({ text: 'MENU', area: [2, 1, 2, 4] }, wide, 4)).to.equal(true);
    expect(is({ text: 'EN', area: [2, 2, 2, 3] }, wide, 4)).to.equal(true);
    expect(is({ text: 'M', area: [1, 1, 1, 4] }, wide, 4)).to.equal(false);
  });

  it('never quote what stands in an input field', () => {
    const filled = picture({
      text: [' CANARY HOST'],
      fields: [
        { address: 0, attribute: 0 },
        { address: 7, attribute: 0x20 },
      ],
    });
    const words = differences({ name: 'ONE', conditions: [{ text: 'X', row: 1 }] }, filled);
    expect(words).to.deep.equal(['"X" in row 1: there is "        HOST"']);
  });

  it('never quote what stands in an input field that goes on from the end of the screen to its beginning', () => {
    const filled = picture({
      text: [' CANARY HOST'],
      fields: [
        { address: 7, attribute: 0x20 },
        { address: 1_900, attribute: 0 },
      ],
    });
    const words = differences({ name: 'ONE', conditions: [{ text: 'X', row: 1 }] }, filled);
    expect(words).to.deep.equal(['"X" in row 1: there is "        HOST"']);
  });

  it('without conditions hold on nothing; blank screens are blank', () => {
    const blank = picture({ text: [] });
    expect(isScreen({ name: 'NONE', conditions: [] }, blank)).to.equal(false);
    expect(isScreen({ name: 'BLANK', conditions: [{ blank: true }] }, blank)).to.equal(true);
    expect(isScreen({ name: 'UNFORMATTED', conditions: [{ fields: 0 }, { blank: true }] }, blank)).to.equal(true);
  });

  it('see double-byte characters where they begin, and not at their right halves', () => {
    const japanese = picture({ text: ['高\u{e000}い\u{e000}A'] });
    const holds = (condition: ScreenCondition) => isScreen({ name: 'ONE', conditions: [condition] }, japanese);
    expect([
      holds({ text: '高い', row: 1, column: 1 }),
      holds({ text: 'い', row: 1, column: 3 }),
      holds({ text: 'い', row: 1, column: 2 }),
      holds({ text: 'A', row: 1, column: 5 }),
    ]).to.deep.equal([true, true, false, true]);
  });

  it('are recognised in their order, and those that hold on one picture are told', () => {
    const definitions = [
      { name: 'ACCT', conditions: [{ text: 'ACCT' }] },
      { name: 'MENU', conditions: [{ text: 'MENU' }] },
      { name: 'OPTION', conditions: [{ text: 'Option' }] },
    ];
    const other = picture({ text: [' ACCT'] });
    expect(recognise(definitions, screen)?.name).to.equal('MENU');
    expect(recognise(definitions, picture({ text: [] }))).to.equal(undefined);
    expect(indistinct(definitions, [other, screen, screen])).to.deep.equal([{ names: ['MENU', 'OPTION'], image: 1 }]);
    expect(indistinct(definitions, [other])).to.deep.equal([]);
  });

  describe('of any screen', () => {
    const words = fc.stringMatching(/^[A-Z0-9 .:=>]{1,12}$/);
    const hex = (text: string) => Buffer.from([...text].map((character) => ebcdicOf(character))).toString('hex');
    /** What a host draws: texts and hidden fields in turn. */
    const drawn = (shown: readonly string[], hidden: readonly string[]) =>
      `f5c3${shown.map((text, at) => `1d60${hex(text)}1d4c${hex((hidden[at] ?? '').padEnd(8).slice(0, 8))}`).join('')}1d60`;
    const imageOf = (shown: readonly string[], hidden: readonly string[]) => {
      const terminal = new Terminal();
      if (terminal.host(drawn(shown, hidden)) !== undefined) throw new Error('a faulty record');
      return terminal.screen.image;
    };
    const texts = fc.array(words, { minLength: 1, maxLength: 20 });

    it('a definition made of its texts holds on it', () => {
      fc.assert(
        fc.property(texts, (shown) => {
          const image = imageOf(shown, []);
          const conditions = definingConditions(image);
          expect(differences({ name: 'IT', conditions }, image)).to.deep.equal([]);
          for (const condition of conditions) {
            expect(isScreen({ name: 'NOT', conditions: [{ not: condition }] }, image)).to.equal(false);
          }
        }),
      );
    });

    it('what is not displayed never changes what it is', () => {
      fc.assert(
        fc.property(texts, fc.array(words), fc.array(words), words, (shown, some, others, looked) => {
          const [one, other] = [imageOf(shown, some), imageOf(shown, others)];
          const conditions = [...definingConditions(one), { text: looked }, { text: looked, row: 1 }];
          for (const condition of conditions) {
            const definition = { name: 'IT', conditions: [condition] };
            expect(differences(definition, one)).to.deep.equal(differences(definition, other));
          }
        }),
      );
    });
  });
});

function definingConditions({ rows, columns, cells, fields, cursor }: ReturnType<typeof picture>): ScreenCondition[] {
  const conditions: ScreenCondition[] = [
    { fields: fields.length },
    { cursor: [Math.floor(cursor / columns) + 1, (cursor % columns) + 1] },
  ];
  for (let row = 0; row < rows; row++) {
    const text = cells.slice(row * columns, (row + 1) * columns).join('');
    if (text.trim() !== '') conditions.push({ text, row: row + 1, column: 1 }, { text: text.trim(), row: row - rows });
  }
  return conditions;
}

function ebcdicOf(character: string): number {
  const codes: Readonly<Record<string, number>> = { ' ': 0x40, '.': 0x4b, ':': 0x7a, '=': 0x7e, '>': 0x6e };
  const letter = (first: string, code: number) => code + character.charCodeAt(0) - first.charCodeAt(0);
  if (character >= 'S' && character <= 'Z') return letter('S', 0xe2);
  if (character >= 'J' && character <= 'R') return letter('J', 0xd1);
  if (character >= 'A' && character <= 'I') return letter('A', 0xc1);
  return codes[character] ?? letter('0', 0xf0);
}
