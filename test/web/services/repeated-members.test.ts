import { expect } from 'chai';
import fc from 'fast-check';
import { repeatedMembers } from '../../../src/web/services/repeated-members.js';

const found = (text: string) => [...repeatedMembers(text)];

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

  it('are in nothing that was made of a value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => found(JSON.stringify(value, undefined, 1)).length === 0));
  });

  it('are told up to a hundred', () => {
    const members = Array.from({ length: 200 }, (_, at) => `"m${at}":1,"m${at}":2`).join(',');
    expect(found(`{${members}}`)).to.have.length(100);
  });
});
