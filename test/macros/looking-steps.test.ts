import { expect } from 'chai';
import { stepsOfText, textOfSteps } from '../../client/terminal/macros/model/editor-syntax.js';
import { reasonText } from '../../src/lib/locale.js';
import { macroFault } from '../../src/macros/macro-fault.js';
import type { MacroStep } from '../../src/macros/macro-step.js';

const faultOf = (step: object, isStored = false) => {
  const fault = macroFault({ macros: [{ name: 'm', def: [{ txt: '', ...step }] }] }, isStored);
  if (fault === undefined) return undefined;
  return `${fault.path.replace('$.macros[0].def[0]', '')}: ${reasonText(fault.problem, 'en')}`;
};
const menu = [[{ text: 'MENU', row: 1, column: 2 }]];

describe('steps that look', () => {
  describe('in the editor', () => {
    const examples: readonly (readonly [MacroStep, string])[] = [
      [{ txt: '', expect: menu }, 'expect text("MENU",1,2)'],
      [
        { txt: '', expect: [[{ text: 'a "or" b' }, { not: { text: 'NEWS', row: -1 } }], [{ blank: true }]], within: 9 },
        'expect text("a \\"or\\" b"), not(text("NEWS",-1)) or blank() within 9',
      ],
      [
        {
          txt: '',
          expect: [
            [
              { text: 'x', area: [1, 2, 3, 4] },
              { fields: 12 },
              { inputFields: 0 },
              { cursor: [-1, 80] },
              { attribute: { at: [4, 22], protected: false, nonDisplayable: true } },
            ],
          ],
        },
        'expect text("x",area(1,2,3,4)), fields(12), inputFields(0), cursor(-1,80), attribute(4,22,!protected,nonDisplayable)',
      ],
      [{ txt: '', wait: { text: 'Job ended', row: 22 }, within: 60 }, 'wait text("Job ended",22) within 60'],
      [{ txt: '', ask: 'Account "number"', variable: 'account' }, 'ask("Account \\"number\\"",account)'],
      [{ txt: '', read: [6, 22, -1, 51], variable: 'name_1' }, 'read(6,22,-1,51,name_1)'],
      [{ txt: '', type: 'No. {{x}} {account}' }, 'type("No. {{x}} {account}")'],
      [{ txt: '', if: menu, steps: ['ENTER'] }, 'if text("MENU",1,2)\n  key(ENTER)\nend'],
      [
        { txt: '', if: menu, steps: [], else: [{ txt: '', repeat: 3, until: menu, steps: ['PF8', { txt: 'x' }] }] },
        'if text("MENU",1,2)\nelse\n  repeat 3 until text("MENU",1,2)\n    key(PF8)\n    "x"\n  end\nend',
      ],
      [{ txt: '', repeat: 1000, steps: [] }, 'repeat 1000\nend'],
    ];

    it('are written and read back, and are what files may have', () => {
      const first: MacroStep = { txt: '', ask: 'x', variable: 'account' };
      for (const [step, text] of examples) {
        expect(textOfSteps([step])).to.equal(text);
        expect(stepsOfText(`ask("x",account)\n${text}`)).to.deep.equal({ steps: [first, step], problems: [] });
        expect(macroFault({ macros: [{ name: 'm', def: [first, step] }] })).to.equal(undefined);
      }
    });

    it('say in which line what is wrong', () => {
      const wrong: readonly (readonly [string, number, RegExp])[] = [
        ['expect', 1, /expected a condition/],
        ['expect text("a"', 1, /expected \)/],
        ['expect text("a") within', 1, /expected a number/],
        ['expect text("a") within 601', 1, /between 1 and 600, found 601/],
        ['expect text("a",0)', 1, /found 0/],
        ['expect title("a")', 1, /there is no condition title/],
        ['expect text("a") 5', 1, /more operands than the command accepts/],
        ['expect attribute(1,2,shiny)', 1, /expected one of protected, numeric/],
        ['wait text("a")', 1, /expected the longest time/],
        ['wait blank() within 5', 1, /expected text/],
        ['repeat 1001\nend', 1, /between 1 and 1000, found 1001/],
        ['repeat until text("a")\nend', 1, /expected a number/],
        ['"a"\nif text("a")\n"b"', 2, /matching "end" is missing/],
        ['end', 1, /matching "if" or "repeat" is missing/],
        ['repeat 2\nelse\nend', 2, /between "if" and "end"/],
        ['if text("a")\nelse\nelse\nend', 3, /between "if" and "end"/],
        ['type("{account}")', 1, /no previous command sets the variable account/],
        ['type("{")', 1, /brace/],
        ['ask("x")', 1, /expected ,/],
        ['ask("x",1)', 1, /expected the name of a variable/],
        ['read(1,2,3,x)', 1, /expected a number/],
        ['read(1,2,3,4)', 1, /expected ,/],
        ['expect text(a)', 1, /expected a text/],
        ['expect text("a") ; x', 1, /cannot be read/],
        [`${'repeat 1\n'.repeat(6)}${'end\n'.repeat(6)}`, 12, /too deep/],
      ];
      for (const [text, line, problem] of wrong) {
        const [first] = stepsOfText(text).problems;
        expect(first?.line, text).to.equal(line);
        expect(first?.problem, text).to.match(problem);
      }
    });
  });

  describe('in files', () => {
    it('are refused with the place that is wrong', () => {
      for (const [step, fault] of [
        [{ expect: [] }, '.expect: expected at least one screen'],
        [{ expect: [[]] }, '.expect[0]: expected at least one condition'],
        [{ expect: [[{ text: 'x', column: 2 }]] }, '.expect[0][0].column: expected a "row" with it'],
        [{ expect: [[{ text: '' }]] }, '.expect[0][0].text: expected a string that is not empty'],
        [
          { expect: [[{ text: 'x', blank: true }]] },
          '.expect[0][0]: expected one of text, not, fields, inputFields, cursor, attribute, blank, found several',
        ],
        [{ expect: [[{ not: { not: { blank: true } } }]] }, '.expect[0][0].not: expected a condition other than "not"'],
        [
          { expect: [[{ not: { attribute: { at: [1, 0], numeric: true } } }]] },
          '.expect[0][0].not.attribute.at[1]: expected an integer between 1 and 200, found 0',
        ],
        [{ if: menu }, '.steps: expected an array, found nothing'],
        [{ if: menu, steps: ['FOO'] }, '.steps[0]: expected the name of a key, or an instruction such as move(435)'],
        [{ if: menu, steps: [], else: [{ txt: 5 }] }, '.else[0].txt: expected a string, found a number'],
        [
          { repeat: 2, steps: [{ txt: '', wait: { text: 'x' } }] },
          '.steps[0].within: expected an integer, found nothing',
        ],
        [{ ask: 'x', variable: '1a' }, '.variable: expected letters, digits and _, beginning with a letter'],
        [{ read: [1, 2, 3], variable: 'a' }, '.read: expected first row and column, last row and column'],
        [{ type: '{a}' }, '.type: expected variables that a previous step sets'],
        [{ type: '{' }, '.type: expected {variable}, {{ or }} instead of a single brace'],
        [
          { type: 'x', ask: 'y' },
          ': expected one of screen, prompt, expect, wait, if, repeat, ask, read, type, found several',
        ],
      ] as const) {
        expect(faultOf(step), JSON.stringify(step)).to.equal(fault);
      }
      expect(faultOf({ type: '{a}' }, true), 'what is stored stops when it is played').to.equal(undefined);
      expect(faultOf({ txt: 'x', type: 5, if: 7 }), 'beside a text they mean nothing').to.equal(undefined);
    });

    const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
    const blank = { blank: true };
    const nested = (depth: number): object =>
      depth === 0 ? { txt: '' } : { txt: '', repeat: 1, steps: [nested(depth - 1)] };
    for (const [what, most, step] of [
      ['screens', 10, (count: number) => ({ expect: many(count, [blank]) })],
      ['conditions', 10, (count: number) => ({ expect: [many(count, blank)] })],
      ['characters of a condition', 200, (count: number) => ({ wait: { text: 'x'.repeat(count) }, within: 1 })],
      ['seconds to expect a screen', 600, (within: number) => ({ expect: menu, within })],
      ['seconds to wait', 600, (within: number) => ({ wait: { text: 'x' }, within })],
      ['rounds', 1_000, (repeat: number) => ({ repeat, steps: [] })],
      ['characters of a question', 200, (count: number) => ({ ask: 'x'.repeat(count), variable: 'a' })],
      ['characters of a variable', 30, (count: number) => ({ ask: 'x', variable: 'x'.repeat(count) })],
      ['characters of a text', 16_384, (count: number) => ({ type: 'x'.repeat(count) })],
      ['rows', 200, (row: number) => ({ read: [1, 1, row, 1], variable: 'a' })],
      ['fields', 16_384, (fields: number) => ({ expect: [[{ fields }]] })],
      // the step around them is one of 10,000
      ['steps within', 9_999, (count: number) => ({ repeat: 1, steps: many(count, 'Tab') })],
      ['steps within one another', 5, (depth: number) => nested(depth)],
    ] as const) {
      it(`have a bound: ${what}`, () => {
        expect(faultOf(step(most))).to.equal(undefined);
        expect(faultOf(step(most + 1))).to.be.a('string');
      });
    }
  });
});
