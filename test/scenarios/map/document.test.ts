import { expect } from 'chai';
import fc from 'fast-check';
import { documentFormats } from '../../../src/scenarios/map/document.js';
import { readDocument } from './variable-table.js';

describe('readDocument', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const bounds = [
    { what: 'JSON 64 deep', format: 'JSON', at: nested(64), past: nested(65) },
    { what: 'JSON of 2 MiB', format: 'JSON', at: `"${'x'.repeat(2_097_150)}"`, past: `"${'x'.repeat(2_097_151)}"` },
    {
      what: 'JSON of 100,000 elements, its root among them',
      format: 'JSON',
      at: `[${'0,'.repeat(99_998)}0]`,
      past: `[${'0,'.repeat(99_999)}0]`,
    },
    { what: 'a query of 100,000 parameters', format: 'QUERY', at: 'a&'.repeat(100_000), past: 'a&'.repeat(100_001) },
    { what: 'a query of 2 MiB', format: 'QUERY', at: 'x'.repeat(2_097_152), past: 'x'.repeat(2_097_153) },
    {
      what: 'XML 64 deep',
      format: 'XML',
      at: `${'<a>'.repeat(64)}${'</a>'.repeat(64)}`,
      past: `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`,
    },
    {
      what: 'XML of 2 MiB',
      format: 'XML',
      at: `<a>${'é'.repeat(1_048_572)}x</a>`,
      past: `<a>${'é'.repeat(1_048_572)}xx</a>`,
    },
  ] as const;
  for (const { what, format, at, past } of bounds) {
    it(`reads ${what}, and nothing past it`, () => {
      expect(readDocument(format, at)).to.not.equal(undefined);
      expect(readDocument(format, past)).to.equal(undefined);
    });
  }

  it('does not parse JSON that is nested far too deep', () => {
    expect(readDocument('JSON', '[{"a":'.repeat(300_000))).to.equal(undefined);
  });

  for (const text of [
    '',
    ' ',
    '{',
    '{"a":1}}',
    '[1,]',
    "{'a':1}",
    '01',
    '1.',
    '+1',
    '.5',
    'NaN',
    '"\u0001"',
    '{1:2}',
    '"a',
    '\\"',
    '-',
  ])
    it(`refuses ${JSON.stringify(text)}, as JSON.parse does`, () => {
      expect(() => JSON.parse(text)).to.throw(SyntaxError);
      expect(readDocument('JSON', text)).to.equal(undefined);
    });

  it('reads as JSON what JSON.parse reads, and nothing else', () => {
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + put.length);
    });
    fc.assert(
      fc.property(fc.oneof(fc.json({ maxDepth: 5 }), damaged), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(readDocument('JSON', text) !== undefined).to.equal(valid);
      }),
    );
  });

  it('has the scalars of JSON as their text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean()), (scalar) => {
        expect(readDocument('JSON', JSON.stringify(scalar))?.text).to.equal(`${scalar}`);
      }),
    );
  });

  it('reads a query as URLSearchParams does, where the encoding is well-formed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())), (parameters) => {
        const read = readDocument('QUERY', new URLSearchParams(parameters).toString());
        expect(read?.children.map(({ name, text }) => [name, text])).to.deep.equal(parameters);
      }),
    );
  });

  it('throws at nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...documentFormats),
        fc.oneof(fc.string(), fc.string({ unit: 'binary' })),
        (format, text) => {
          readDocument(format, text);
        },
      ),
    );
  });
});
