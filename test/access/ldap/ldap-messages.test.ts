import { expect } from 'chai';
import fastCheck from 'fast-check';
import { LdapMessages } from '../../../src/access/ldap/ldap-messages.js';

const bytes = (text: string) => Buffer.from(text.replace(/ /g, ''), 'hex');

/** RFC 4511, section 4: a success of each kind, an entry `cn=a` with `uid: b`, a reference, and a page's control. */
const wellFormed = {
  bind: '30 0c 020102 61 07 0a0100 0400 0400',
  'bind with long lengths': '30 84 00000010 020102 61 84 00000007 0a0100 0400 0400',
  done: '30 0c 020103 65 07 0a0100 0400 0400',
  'done with the control of pages':
    '30 32 020103 65 07 0a0100 0400 0400 a0 24 30 22 0416 312e322e3834302e3131333535362e312e342e333139 0408 3006 020100 0401 78',
  extended: '30 0c 020104 78 07 0a0100 0400 0400',
  entry: '30 19 020102 64 14 0404 636e3d61 30 0c 30 0a 0403 756964 31 03 0401 62',
  'entry without attributes': '30 0d 020102 64 08 0404 636e3d61 3000',
  reference: '30 0a 020102 73 05 0403 6c6461',
} as const;

const malformed = {
  'no sequence': '31 0c 020102 61 07 0a0100 0400 0400',
  HTTP: '48545450',
  'an indefinite length': '30 80 020102 61 07 0a0100 0400 0400 0000',
  'a length of five bytes': '30 85 000000000c 020102 61 07 0a0100 0400 0400',
  'attributes past the end': '30 0c 020102 64 07 0403 613d62 30 7f',
  'values past the end': '30 13 020102 64 0e 0403 613d62 30 07 30 05 0401 61 31 7f',
  'attributes that are a text': '30 0e 020102 64 09 0403 613d62 04 02 30 7f',
  'a reference past the end': '30 07 020102 73 02 04 7f',
  'a bind with something past the end': '30 0e 020102 61 09 0a0100 0400 0400 87 7f',
  'controls past the end': '30 0e 020102 61 07 0a0100 0400 0400 a0 7f',
  'a control past the end': '30 10 020102 61 07 0a0100 0400 0400 a0 02 30 7f',
  'four parts': '30 10 020102 61 07 0a0100 0400 0400 a000 a000',
  'a result without words': '30 0a 020102 61 05 0a0100 0400',
  'a request': '30 0c 020101 60 07 020103 0400 8000',
  'no operation': '30 03 020102',
  nothing: '30 00',
} as const;

describe('messages of a directory server (RFC 4511)', () => {
  for (const [what, text] of Object.entries(wellFormed)) {
    it(`lets through: ${what}`, () => {
      const message = bytes(text);
      expect(new LdapMessages(1000).take(message)).to.deep.equal([message]);
    });
  }

  for (const [what, text] of Object.entries(malformed)) {
    it(`refuses: ${what}`, () => {
      expect(() => new LdapMessages(1000).take(bytes(text))).to.throw('the received data is not LDAP');
    });
  }

  it('finds them however they are cut', () => {
    const all = Object.values(wellFormed).map(bytes);
    const stream = Buffer.concat(all);
    fastCheck.assert(
      fastCheck.property(fastCheck.array(fastCheck.nat(stream.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), stream.length];
        const messages = new LdapMessages(1000);
        const found = places.slice(1).flatMap((end, index) => messages.take(stream.subarray(places[index], end)));
        expect(found).to.deep.equal(all);
      }),
      { numRuns: 200 },
    );
  });

  it('takes a message at the bound, and says of one past it as soon as it says its length', () => {
    const message = bytes(wellFormed.bind);
    expect(new LdapMessages(message.length).take(message)).to.have.length(1);
    expect(() => new LdapMessages(message.length - 1).take(message.subarray(0, 2))).to.throw('more than 13 bytes');
    expect(() => new LdapMessages(1000).take(bytes('30 84 ffffffff'))).to.throw('more than 1000 bytes');
  });

  it('knows whether there was one message and nothing behind it', () => {
    const message = bytes(wellFormed.extended);
    const hasOne = (...chunks: Buffer[]) => {
      const messages = new LdapMessages(1000);
      for (const chunk of chunks) messages.take(chunk);
      return messages.hasOne;
    };
    expect([hasOne(), hasOne(message.subarray(0, 5)), hasOne(message)]).to.deep.equal([false, false, true]);
    expect([hasOne(message, message), hasOne(message, Buffer.of(0x30))]).to.deep.equal([false, false]);
  });

  it('ends with every nonsense, in an error or in waiting for more', () => {
    fastCheck.assert(
      fastCheck.property(
        fastCheck.constantFrom(...Object.values(wellFormed)),
        fastCheck.array(fastCheck.tuple(fastCheck.nat(60), fastCheck.nat(255)), { minLength: 1, maxLength: 4 }),
        (text, changes) => {
          const message = bytes(text);
          for (const [place, value] of changes) message[place % message.length] = value;
          try {
            for (const found of new LdapMessages(1000).take(message)) expect(found.length).to.be.at.most(1000);
          } catch (error) {
            expect(String(error)).to.match(/not LDAP|more than/);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
