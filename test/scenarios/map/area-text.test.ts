import { expect } from 'chai';
import fc from 'fast-check';
import { areaText } from '../../../src/scenarios/map/area-text.js';

const area = (content: 'X' | '9' | 'BASE64', length: number) => ({ content, length, pattern: undefined });

describe('areaText', () => {
  it('decodes base64 as Node encodes it', () => {
    fc.assert(
      fc.property(
        fc.string({
          minLength: 1,
          maxLength: 40,
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
        }),
        (text) => {
          const encoded = Buffer.from(text, 'utf8').toString('base64');
          expect(areaText(area('BASE64', 40), encoded)).to.equal(text.padEnd(40));
          expect(areaText(area('BASE64', 40), Buffer.from(text, 'utf8').toString('base64url'))).to.equal(
            text.padEnd(40),
          );
        },
      ),
    );
  });

  it('aligns short values as padEnd and padStart do', () => {
    const words = fc.stringMatching(/^[!-~]{1,12}$/);
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 20 }), (value, length) => {
        expect(areaText(area('X', length), value)).to.equal(value.slice(0, length).padEnd(length));
        expect(areaText(area('9', length), value)).to.equal(value.slice(0, length).padStart(length, '0'));
      }),
    );
  });
});
