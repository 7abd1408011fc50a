import { expect } from 'chai';
import fc from 'fast-check';
import { repeatedMembers } from '../../../src/web/services/json-body.js';

const DEEPEST_BODY = 32;
const MOST_BODY_VALUES = 10_000;

const found = (text: string) => [...(repeatedMembers(text) ?? ['too many'])];

describe('members of JSON that stand there more than once', () => {
  it('are found at every depth, by their pointers, however they are written', () => {
    expect(found('{"a":1,"b":2}')).to.deep.equal([]);
    expect(found('{"a":1,"a":2,"a":3}')).to.deep.equal(['/a']);
    expect(found('{"a":1,"\\u0061":2}')).to.deep.equal(['/a']);
    expect(found('[{"x":[{"y":1,"y":{}}]},{"y":1}]')).to.deep.equal(['/0/x/0/y']);
    expect(found('{"a/b~":1,"a/b~":2}')).to.deep.equal(['/a~1b~0']);
    expect(found('{"__proto__":1,"__proto__":2}')).to.deep.equal(['/__proto__']);
    expect(found('{"a":{"b":1},"c":{"b":1}}')).to.deep.equal([]);
    expect(found('{"a":"{\\"b\\":1,\\"b\\":2}"}')).to.deep.equal([]);
    expect(found('{"a":["a","a"],"b":"a"}')).to.deep.equal([]);
    expect(found('{"":1,"":2}')).to.deep.equal(['/']);
  });

  it('are looked for up to a bound of values and names, and of depth', () => {
    expect([MOST_BODY_VALUES, DEEPEST_BODY]).to.deep.equal([10_000, 32]);
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    // the array counts, too; a member counts as two
    const elements = (count: number) => `[${'0,'.repeat(count - 2)}0]`;
    const members = (count: number) => `{${'"a":0,'.repeat(count - 1)}"b":0}`;
    for (const text of [nested(32), elements(10_000), members(4_999)]) expect(found(text)).to.not.include('too many');
    for (const text of [
      nested(33),
      '['.repeat(1_000_000),
      elements(10_001),
      `[${'{},'.repeat(333_000)}{}]`,
      members(6_000),
    ])
      expect(repeatedMembers(text)).to.equal(undefined);
  });

  it('are of no concern in what is no JSON', () => {
    for (const text of ['', '}', '{"a', '{"\\x":1,"\\x":2}', ']]]{', '{,,}', ':"a"']) {
      expect(() => repeatedMembers(text), text).to.not.throw();
    }
  });

  it('are looked for in one walk over strings that never end, and in strings as long as the largest body', () => {
    for (const piece of ['\\"', '\\\\', '\\u0041', 'A']) {
      // a walk from each quotation mark to the end would take an hour
      const text = `{"a":"${piece.repeat(8_000_000 / piece.length)}`;
      expect([...found(text), ...found(`${text}","a":1}`)]).to.deep.equal(['/a']);
    }
  });

  it('are in nothing that was made of a value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => found(JSON.stringify(value, undefined, 1)).length === 0),
    );
  });

  it('are told up to a hundred', () => {
    const members = Array.from({ length: 200 }, (_, at) => `"m${at}":1,"m${at}":2`).join(',');
    expect(found(`{${members}}`)).to.have.length(100);
  });
});
