import { expect } from 'chai';
import fc from 'fast-check';
import { isBoundedJson } from '../../../src/lib/documents/bounded-json.js';

describe('bounds of JSON', () => {
  const bounds = { deepest: 3, most: 8 };

  it('count levels of arrays and objects', () => {
    for (const text of ['[[[]]]', '{"a":[{}]}', '[[],[],[[]]]'])
      expect(isBoundedJson(text, bounds), text).to.equal(true);
    for (const text of ['[[[[]]]]', '{"a":[{"b":[', '['.repeat(100_000)]) {
      expect(isBoundedJson(text, bounds), text.slice(0, 20)).to.equal(false);
    }
  });

  it('count values and names', () => {
    // the whole, the array and what stands behind each comma
    expect(isBoundedJson('[1,2,3,4,5,6,7]', bounds)).to.equal(true);
    expect(isBoundedJson('[1,2,3,4,5,6,7,8]', bounds)).to.equal(false);
    expect(isBoundedJson('{"a":1,"b":2,"c":3}', bounds)).to.equal(true);
    expect(isBoundedJson('{"a":1,"b":2,"c":3,"d":4}', bounds)).to.equal(false);
  });

  it('count nothing within strings', () => {
    expect(isBoundedJson(JSON.stringify(['[[[[{{{{,,,,,,,,::::::::', '\\"[[[[,,,,,,,,', '\\\\']), bounds)).to.equal(
      true,
    );
    expect(isBoundedJson('"\\"[[[[', bounds)).to.equal(true);
    expect(isBoundedJson('["\\\\",[[[[]]]]]', bounds)).to.equal(false);
  });

  it('are kept by all JSON that is as deep and as large as they allow', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 2 }), (text) => isBoundedJson(text, { deepest: 3, most: 10_000 })));
  });
});
