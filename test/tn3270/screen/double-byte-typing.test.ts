import { expect } from 'chai';
import fc from 'fast-check';
import { Terminal } from './terminal.js';

/** Fields with double-byte characters between shift-out and shift-in, or without the shift-in, as hosts write them too. */
const texts = fc
  .array(fc.constantFrom('81', '40', '00', '0e42c10f', '0e42c142c20f', '0e0f'), { maxLength: 4 })
  .chain((parts) => fc.constantFrom(parts.join(''), `${parts.join('')}0e`, `${parts.join('')}0e42c1`));
const attributes = fc.constantFrom('c0', 'c0', '50', '60', 'f0', '4c');
const fields = fc.array(fc.tuple(attributes, fc.constantFrom('00', '01'), texts), { minLength: 1, maxLength: 5 });
const keys = [
  ...['Left', 'Right', 'Home', 'Tab', 'BackTab', 'Delete', 'EraseEOF', 'EraseInput', 'Insert', 'Reset', 'Dup'],
  ...["'a", "'1", "'漢", "'字", "'日本", "' ", "'abc"],
];

/** Positions of the field attributes, and all that says what they are, the modified data tag apart. */
function attributesOf({ screen }: Terminal): string {
  return screen.state.space.planes.fieldAttributes.map((attribute) => attribute & ~1).join(' ');
}

/** The fields are within the first row. */
function protectedText({ screen }: Terminal): string {
  const { space } = screen.state;
  return Array.from({ length: space.columns }, (_, at) =>
    (space.attributeOf(at) & 0x20) === 0 ? '' : `${at}=${space.planes.codes[at]}`,
  ).join(' ');
}

describe('typing on a double-byte terminal', () => {
  it('changes no field attribute, and nothing that is protected', () => {
    fc.assert(
      fc.property(fields, fc.array(fc.constantFrom(...keys), { maxLength: 20 }), (screen, pressed) => {
        const terminal = new Terminal({ codePage: 'cp939' });
        const body = screen.map(([attribute, input, text]) => `2902c0${attribute}fe${input}${text}`).join('');
        fc.pre(terminal.host(`f5c3 ${body} 1df0 11000113`) === undefined);
        const before = attributesOf(terminal);
        const text = protectedText(terminal);
        for (const key of pressed) {
          terminal.press(key);
          expect(attributesOf(terminal), `attributes after ${key}`).to.equal(before);
          expect(protectedText(terminal), `protected text after ${key}`).to.equal(text);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('has no room behind a shift-out that ends a field', () => {
    for (const [text, keys] of [
      ['0e', ["'a"]],
      ['0e42c1', ["'a"]],
      ['0e42c1', ['Right', "'a"]],
      ['0e', ["'漢"]],
      ['0e', ['Insert', "'漢"]],
    ] as const) {
      const terminal = new Terminal({ codePage: 'cp939' });
      expect(terminal.host(`f5c3 2902c0c0fe01 13 ${text} 1d60 c1 1d40`)).to.equal(undefined);
      const codes = terminal.codes(0, 9);
      terminal.press(...keys);
      expect([terminal.error, terminal.codes(0, 9)], `${text} ${keys}`).to.deep.equal(
        text === '0e42c1' && keys.length === 1
          ? [undefined, '00 81 40 0e 00 c1 00 00 00'.replaceAll(' ', '')]
          : ['tooMuchEntered', codes],
      );
    }
  });
});
