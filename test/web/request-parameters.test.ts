import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '../../src/lib/errors.js';
import { parseRequestParameters } from '../../src/web/http/request-parameters.js';

const MOST_PARAMETERS = 1_000;

function codeOf(query: string): unknown {
  try {
    parseRequestParameters(query);
    return 'nothing thrown';
  } catch (error) {
    return error instanceof ServiceError ? error.code : error;
  }
}

describe('parseRequestParameters', () => {
  const table: readonly [query: string, expected: readonly [string, readonly string[]][]][] = [
    ['', []],
    [
      'FROMCURRENCY=EUR&TOCURRENCY=USD',
      [
        ['FROMCURRENCY', ['EUR']],
        ['TOCURRENCY', ['USD']],
      ],
    ],
    [
      'b=1&a=2&b=3',
      [
        ['b', ['1', '3']],
        ['a', ['2']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['=a', [['', ['a']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['&&a=1&', [['a', ['1']]]],
    ['a=x+y', [['a', ['x y']]]],
    ['a=x%2By%26%3D', [['a', ['x+y&=']]]],
    ['%C3%A9=%E2%82%AC', [['é', ['€']]]],
    [
      'a=1&A=2',
      [
        ['a', ['1']],
        ['A', ['2']],
      ],
    ],
    ['a=x%0Ay', [['a', ['x\ny']]]],
    [
      '__proto__=x&constructor=y',
      [
        ['__proto__', ['x']],
        ['constructor', ['y']],
      ],
    ],
  ];
  for (const [query, expected] of table) {
    it(JSON.stringify(query), () => {
      expect([...parseRequestParameters(query)]).to.deep.equal(expected);
    });
  }

  for (const query of ['a=%', 'a=%4', 'a=%zz', '%E9=1', 'a=%C0%80', 'a=%ED%A0%80']) {
    it(`refuses ${query}: percent-encoding`, () => {
      expect(codeOf(query)).to.equal('SVC_ERR_REQUEST_ENCODING');
    });
  }

  it('converts plus signs to blanks among all characters', () => {
    for (const text of ['+', 'ü+😀+', 'a+', '+\ud800+', `${'+x'.repeat(10_000)}`]) {
      expect(parseRequestParameters(`a=${text}`).get('a')).to.deep.equal([text.split('+').join(' ')]);
    }
  });

  it('needs about as much processor time for a million plus signs as for escaped blanks', () => {
    const timeOf = (query: string) => {
      const before = process.cpuUsage();
      for (let run = 0; run < 10; run++) parseRequestParameters(query);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const escaped = timeOf(`a=${'%20'.repeat(333_333)}`);
    expect(timeOf(`a=${'+'.repeat(1_000_000)}`) / escaped).to.be.below(20);
  });

  it('refuses NUL', () => {
    expect(codeOf('a=x%00y')).to.equal('SVC_ERR_REQUEST_PARAMETERS');
    expect(codeOf('%00=x')).to.equal('SVC_ERR_REQUEST_PARAMETERS');
    // as the bytes of a form may have it
    expect(codeOf('a=x\0y')).to.equal('SVC_ERR_REQUEST_PARAMETERS');
    expect(codeOf('\0')).to.equal('SVC_ERR_REQUEST_PARAMETERS');
  });

  it('accepts the maximum number, and rejects one more', () => {
    const query = (count: number) => Array.from({ length: count }, (_, index) => `p=${index}`).join('&');
    expect(parseRequestParameters(query(MOST_PARAMETERS)).get('p')).to.have.lengthOf(1_000);
    expect(codeOf(query(MOST_PARAMETERS + 1))).to.equal('SVC_ERR_REQUEST_PARAMETERS');
  });

  it('touches no prototype', () => {
    parseRequestParameters('__proto__=x&__proto__.polluted=y&constructor.prototype.polluted=z');
    expect('polluted' in {}).to.equal(false);
  });

  it('reads what URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\ud800-\udfff]/u.test(value));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const expected = new Map<string, string[]>();
        for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value]);
        const parsed = parseRequestParameters(new URLSearchParams(pairs).toString());
        expect([...parsed]).to.deep.equal([...expected]);
      }),
    );
  });
});
