import { expect } from 'chai';
import { aids, isShortRead } from '../../src/tn3270/datastream/aid.js';
import { attentionIdentifiers, attentionKeys, isShortReadKey } from '../../src/tn3270/keyboard/attention-keys.js';
import { keyNames } from '../../src/tn3270/keyboard/key-names.js';

/** The codec knows keys by their bytes, pages and keyboards by their names. */
describe('keys that send their identifier alone', () => {
  const byteOf = new Map([...attentionIdentifiers, ['SysReq', aids.systemRequest] as const]);

  it('are Clear and the PA keys (GA23-0059, "Short read")', () => {
    expect([...attentionKeys].filter(isShortReadKey)).to.deep.equal(['Clear', 'PA1', 'PA2', 'PA3']);
  });

  it('are the same by byte and by name, of all keys', () => {
    expect([...attentionKeys].filter((key) => !byteOf.has(key))).to.deep.equal([]);
    for (const [key, step] of keyNames) {
      const aid = byteOf.get(key);
      const byByte = aid !== undefined && isShortRead(aid);
      for (const name of [key, step, key.toLowerCase(), key.toUpperCase()]) {
        expect(isShortReadKey(name), name).to.equal(byByte);
      }
    }
  });

  it('are the same of all bytes that there are: no other sends alone', () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter(isShortRead);
    const ofKeys = [...attentionKeys].filter(isShortReadKey).map((key) => attentionIdentifiers.get(key));
    expect(new Set(bytes)).to.deep.equal(new Set(ofKeys));
  });
});
