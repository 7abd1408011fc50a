import { expect } from 'chai';
import { type ParameterDefinition, readParameters } from '../../src/services/parameter.js';

const MOST_FAULTS = 100;

function parameter(of: Partial<ParameterDefinition> & Pick<ParameterDefinition, 'type'>): ParameterDefinition {
  return {
    description: '',
    pattern: undefined,
    minLength: 0,
    maxLength: 4_000,
    minimum: undefined,
    maximum: undefined,
    enum: undefined,
    required: true,
    default: undefined,
    format: 'YYYY-MM-DD',
    encoding: 'text',
    secret: false,
    ...of,
  };
}

/** What is typed for a value, or what is said of it. */
function read(of: Partial<ParameterDefinition> & Pick<ParameterDefinition, 'type'>, value: unknown): string {
  const reading = readParameters(new Map([['p', parameter(of)]]), { p: value });
  if (reading.kind === 'values') return `typed: ${reading.values.get('p')}`;
  expect(reading.faults.map(({ pointer }) => pointer)).to.deep.equal(['/p']);
  return reading.faults[0]?.message ?? '';
}

describe('parameters of a service', () => {
  for (const [of, value, expected] of [
    [{ type: 'string' }, 'x', 'typed: x'],
    [{ type: 'string' }, '', 'typed: '],
    [{ type: 'string' }, 1, 'Expected text.'],
    [{ type: 'string' }, null, 'Expected text.'],
    [{ type: 'string' }, ['x'], 'Expected text.'],
    [{ type: 'string', maxLength: 3 }, 'abc', 'typed: abc'],
    [{ type: 'string', maxLength: 3 }, 'abcd', 'Expected at most 3 characters.'],
    // characters, as JSON Schema counts them
    [{ type: 'string', maxLength: 2 }, '\u{1f600}\u{1f600}', 'typed: \u{1f600}\u{1f600}'],
    [{ type: 'string', maxLength: 2 }, '\u{1f600}\u{1f600}x', 'Expected at most 2 characters.'],
    [{ type: 'string', minLength: 3 }, 'abc', 'typed: abc'],
    [{ type: 'string', minLength: 3 }, 'ab', 'Expected at least 3 characters.'],
    [{ type: 'string' }, 'x'.repeat(4_000), `typed: ${'x'.repeat(4_000)}`],
    [{ type: 'string' }, 'x'.repeat(4_001), 'Expected at most 4000 characters.'],
    [{ type: 'string' }, 'a\nb', 'Expected text without control characters.'],
    [{ type: 'string' }, 'a\u009fb', 'Expected text without control characters.'],
    [{ type: 'string' }, '[enter]{p}', 'typed: [enter]{p}'],
    [{ type: 'string', pattern: '^[0-9]{2}$' }, '12', 'typed: 12'],
    [{ type: 'string', pattern: '^[0-9]{2}$' }, '123', 'Expected text that matches ^[0-9]{2}$.'],
    [{ type: 'string', pattern: 'b' }, 'abc', 'typed: abc'],
    [{ type: 'string', enum: ['a', 'b'] }, 'b', 'typed: b'],
    [{ type: 'string', enum: ['a', 'b'] }, 'B', 'Expected one of a, b.'],
    [{ type: 'integer' }, 12, 'typed: 12'],
    [{ type: 'integer' }, '012', 'typed: 012'],
    [{ type: 'integer' }, -0, 'typed: 0'],
    [{ type: 'integer' }, 1.5, 'Expected a whole number.'],
    [{ type: 'integer' }, '1.0', 'Expected a whole number.'],
    [{ type: 'integer' }, '+1', 'Expected a whole number.'],
    [{ type: 'string' }, 'half \ud83d', 'Expected text of whole characters.'],
    [{ type: 'integer' }, '', 'Expected a whole number.'],
    [{ type: 'integer' }, true, 'Expected a whole number.'],
    // lists of one item would pass as texts
    [{ type: 'integer' }, ['1'], 'Expected a whole number.'],
    [{ type: 'decimal' }, ['1.5'], 'Expected a decimal number, such as "12.50".'],
    // a number that JSON readers round is no number that anybody meant
    [{ type: 'integer' }, 9_007_199_254_740_991, 'typed: 9007199254740991'],
    [{ type: 'integer' }, 9_007_199_254_740_992, 'Expected a whole number.'],
    [{ type: 'integer' }, '9'.repeat(30), `typed: ${'9'.repeat(30)}`],
    [{ type: 'integer' }, '9'.repeat(31), 'Expected a whole number.'],
    [{ type: 'integer', minimum: 3, maximum: 5 }, 3, 'typed: 3'],
    [{ type: 'integer', minimum: 3, maximum: 5 }, 2, 'Expected at least 3.'],
    [{ type: 'integer', minimum: 3, maximum: 5 }, '5', 'typed: 5'],
    [{ type: 'integer', minimum: 3, maximum: 5 }, '6', 'Expected at most 5.'],
    [{ type: 'integer', minimum: -3 }, '-4', 'Expected at least -3.'],
    [{ type: 'integer', enum: ['1', '2'] }, '02', 'typed: 02'],
    [{ type: 'integer', enum: ['1', '2'] }, 3, 'Expected one of 1, 2.'],
    [{ type: 'integer', maxLength: 2 }, 100, 'Expected at most 2 characters.'],
    [{ type: 'decimal' }, '12.50', 'typed: 12.50'],
    [{ type: 'decimal' }, 12.5, 'typed: 12.5'],
    [{ type: 'decimal' }, 1e21, 'Expected a decimal number, such as "12.50".'],
    [{ type: 'decimal' }, Number.NaN, 'Expected a decimal number, such as "12.50".'],
    [{ type: 'decimal' }, '12,50', 'Expected a decimal number, such as "12.50".'],
    [{ type: 'decimal' }, '.5', 'Expected a decimal number, such as "12.50".'],
    [{ type: 'decimal' }, '5.', 'Expected a decimal number, such as "12.50".'],
    // as numbers of JavaScript both are the same
    [{ type: 'decimal', maximum: 999999999.99 }, '999999999.990000000000001', 'Expected at most 999999999.99.'],
    [{ type: 'decimal', maximum: 999999999.99 }, '999999999.990000', 'typed: 999999999.990000'],
    [{ type: 'decimal', minimum: 0 }, '-0.000000000000000000000000000001', 'Expected at least 0.'],
    [{ type: 'decimal', minimum: 0 }, '-0.00', 'typed: -0.00'],
    [{ type: 'decimal', enum: ['1.5'] }, '1.50', 'typed: 1.50'],
    [{ type: 'decimal', enum: ['1.5'] }, '1.500000000000000000000000000001', 'Expected one of 1.5.'],
    [{ type: 'boolean' }, true, 'typed: Y'],
    [{ type: 'boolean' }, false, 'typed: N'],
    [{ type: 'boolean' }, 'true', 'Expected true or false.'],
    [{ type: 'date' }, '2026-11-22', 'typed: 2026-11-22'],
    [{ type: 'date', format: 'DD.MM.YYYY' }, '2026-11-22', 'typed: 22.11.2026'],
    [{ type: 'date', format: 'DDMMMYY' }, '2026-11-02', 'typed: 02NOV26'],
    [{ type: 'date', format: 'YYYYDDD' }, '2024-12-31', 'typed: 2024366'],
    [{ type: 'date', format: 'YYYYDDD' }, '2100-03-01', 'typed: 2100060'],
    [{ type: 'date', format: 'MM/DD/YY' }, '1969-01-01', 'typed: 01/01/69'],
    [{ type: 'date', format: 'MM/DD/YY' }, '2068-12-31', 'typed: 12/31/68'],
    // two digits would be read as another year
    [{ type: 'date', format: 'MM/DD/YY' }, '1968-12-31', 'Expected a date from 1969 to 2068.'],
    [{ type: 'date', format: 'MM/DD/YY' }, '2069-01-01', 'Expected a date from 1969 to 2068.'],
    [{ type: 'date' }, '2024-02-29', 'typed: 2024-02-29'],
    [{ type: 'date' }, '2023-02-29', 'Expected a date, such as "2026-11-22".'],
    [{ type: 'date' }, '0000-01-01', 'Expected a date, such as "2026-11-22".'],
    [{ type: 'date' }, '2026-11-22T00:00:00Z', 'Expected a date, such as "2026-11-22".'],
    [{ type: 'date' }, 20261122, 'Expected a date, such as "2026-11-22".'],
  ] as const) {
    it(`${JSON.stringify(of).slice(0, 80)} and ${JSON.stringify(value)?.slice(0, 40)}: ${expected.slice(0, 60)}`, () => {
      expect(read(of, value)).to.equal(expected);
    });
  }

  it('lists twenty values of an enumeration and no more', () => {
    const values = Array.from({ length: 21 }, (_, at) => `v${at}`);
    expect(read({ type: 'string', enum: values.slice(0, 20) }, 'x')).to.match(/, v19\.$/);
    expect(read({ type: 'string', enum: values }, 'x')).to.match(/, v19 …\.$/);
  });

  it('never tell what came', () => {
    for (const type of ['string', 'integer', 'decimal', 'boolean', 'date'] as const) {
      const said = read({ type, secret: true, maxLength: 3, enum: ['a'] }, type === 'string' ? 's3c' : ['s3cret']);
      expect(said, type).not.to.contain('s3c');
    }
  });

  it('are looked at in time that grows with their length, whatever their pattern', () => {
    const said = read({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(3_000)}!`);
    expect(said).to.equal('Expected text that matches ^(a+)+$.');
  });

  const definitions = new Map([
    ['needed', parameter({ type: 'string' })],
    ['usual', parameter({ type: 'string', required: false, default: 'DE' })],
    ['free', parameter({ type: 'string', required: false })],
    ['constructor', parameter({ type: 'string', required: false })],
  ]);

  it('have their defaults, and nothing where the caller has left one out', () => {
    const reading = readParameters(definitions, { needed: 'x' });
    expect(reading.kind === 'values' && [...reading.values]).to.deep.equal([
      ['needed', 'x'],
      ['usual', 'DE'],
    ]);
  });

  it('are told all that is wrong, with pointers, in the order of the file and then of the call', () => {
    const given = JSON.parse('{ "a/b": 1, "free": 2, "m~n": 3, "__proto__": { "needed": "x" }, "toString": 4 }');
    expect(readParameters(definitions, given)).to.deep.equal({
      kind: 'faults',
      faults: [
        { pointer: '/needed', message: 'It is missing.' },
        { pointer: '/free', message: 'Expected text.' },
        { pointer: '/a~1b', message: 'The service has no such parameter.' },
        { pointer: '/m~0n', message: 'The service has no such parameter.' },
        { pointer: '/__proto__', message: 'The service has no such parameter.' },
        { pointer: '/toString', message: 'The service has no such parameter.' },
      ],
    });
  });

  it('take nothing from what objects have by themselves', () => {
    const reading = readParameters(definitions, { needed: 'x', constructor: 'c' });
    expect(reading.kind === 'values' && reading.values.get('constructor')).to.equal('c');
    const without = readParameters(definitions, { needed: 'x' });
    expect(without.kind === 'values' && without.values.has('constructor')).to.equal(false);
  });

  it('are refused where they stand there more than once', () => {
    expect(readParameters(definitions, { needed: 'x' }, new Set(['needed']))).to.deep.equal({
      kind: 'faults',
      faults: [{ pointer: '/needed', message: 'It occurs more than once.' }],
    });
  });

  it('are told a hundred faults at most, and no name of more than 64 characters', () => {
    const many = Object.fromEntries(Array.from({ length: MOST_FAULTS + 1 }, (_, at) => [`n${at}`, 1]));
    const reading = readParameters(definitions, { needed: 'x', ...many });
    expect(reading.kind === 'faults' && reading.faults.length).to.equal(MOST_FAULTS);
    const long = readParameters(definitions, { needed: 'x', ['n'.repeat(64)]: 1, ['n'.repeat(65)]: 1 });
    expect(long.kind === 'faults' && long.faults.map(({ pointer }) => pointer)).to.deep.equal([
      `/${'n'.repeat(64)}`,
      '',
    ]);
  });
});
