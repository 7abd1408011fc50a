import { expect } from 'chai';
import fc from 'fast-check';
import { decodePageMessage } from '../../../src/terminal/protocol/decode-page-message.js';
import { decodeServerMessage } from '../../../src/terminal/protocol/server-message.js';

const LARGEST_NUMBER = 999_999_999;

const nonsense = [
  '',
  'no json',
  'null',
  '7',
  '"k"',
  '[]',
  '{}',
  '{"k":"constructor"}',
  '{"k":["h"]}',
  '{"k":"__proto__"}',
];
const whole = { k: 's', r: 17, n: 24, c: 80, u: 590, l: 0 };

describe('what is no message of the screen protocol', () => {
  it('is none for the server, nor for the page', () => {
    for (const text of nonsense) {
      expect(decodePageMessage(text), text).to.equal(undefined);
      expect(decodeServerMessage(text), text).to.equal(undefined);
    }
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        decodePageMessage(text);
        decodeServerMessage(text);
      }),
    );
  });

  describe('from a page', () => {
    const submit = (members: object) => decodePageMessage(JSON.stringify({ k: 'k', i: 1, a: 'ENTER', ...members }));

    it('is a text that is nested too deeply, or has too many values: JSON.parse takes long for it', () => {
      const nested = (depth: number) => `{"k":"q","z":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
      // the object, its names and values, the array and its elements
      const many = (count: number) => `{"k":"q","z":[${'0,'.repeat(count - 6)}0]}`;
      for (const text of [nested(32), many(40_000)]) expect(decodePageMessage(text)).to.include({ k: 'q' });
      for (const text of [nested(33), nested(130_000), many(40_001)]) {
        expect(decodePageMessage(text)).to.equal(undefined);
      }
    });

    it('is a submit without a number that can be, or one too large', () => {
      expect(submit({ i: LARGEST_NUMBER })).to.include({ i: 999_999_999 });
      for (const i of [LARGEST_NUMBER + 1, -1, 1.5, '1', null, [1]]) expect(submit({ i }), `${i}`).to.equal(undefined);
    });

    it('is a submit whose key, fields or session key are no texts', () => {
      for (const a of [undefined, null, 7, ['ENTER']]) expect(submit({ a }), `${a}`).to.equal(undefined);
      for (const f of [null, [], 'V0000001', 7, { V0000001: 7 }, { V0000001: null }]) {
        expect(submit({ f }), JSON.stringify(f)).to.equal(undefined);
      }
      for (const s of [null, 7, {}]) expect(submit({ s }), JSON.stringify(s)).to.equal(undefined);
    });

    it('has no cursor, page or revision where what is there is no number, or one too large', () => {
      expect(submit({ u: LARGEST_NUMBER })).to.include({ u: 999_999_999 });
      for (const no of [LARGEST_NUMBER + 1, -1, 0.5, '3', null]) {
        expect(submit({ u: no })).to.include({ u: undefined, a: 'ENTER' });
        expect(decodePageMessage(JSON.stringify({ k: 'h', p: no, r: no }))).to.deep.equal({
          k: 'h',
          p: undefined,
          r: undefined,
        });
      }
    });
  });

  it('is a user who is there by nothing but 1', () => {
    for (const y of [0, 2, true, '1', null, [1]]) {
      expect(decodePageMessage(JSON.stringify({ k: 'q', y }))).to.deep.equal({ k: 'q', y: undefined });
    }
  });

  describe('from the server', () => {
    const sound: readonly (readonly [message: Readonly<Record<string, unknown>>, needed: string])[] = [
      [{ k: 'w', p: 3, i: 7 }, 'pi'],
      [{ k: 'i', h: 'PROD', m: 'IBM-3278-2-E', d: 'LU0001' }, 'hm'],
      [whole, 'rncul'],
      [{ k: 'd', b: 17, r: 18, u: 590, l: 'goElsewhere' }, 'brul'],
      [{ k: 'a', i: 8 }, 'i'],
      [{ k: 'r', i: 8, e: 'SVC_ERR_SUBMIT_FIELD', m: 'V0000243 is protected.' }, 'iem'],
      [{ k: 'e', e: 'hostEnded' }, 'e'],
      [{ k: 't' }, ''],
    ];

    it('lacks a member, or has something else for it', () => {
      for (const [message, needed] of sound) {
        expect(decodeServerMessage(JSON.stringify(message))).to.deep.equal(message);
        for (const name of needed) {
          for (const wrong of [undefined, null, -1, 0.5, {}, [1]]) {
            const text = JSON.stringify({ ...message, [name]: wrong });
            expect(decodeServerMessage(text), text).to.equal(undefined);
          }
        }
      }
    });

    it('tells a time that is none', () => {
      for (const wrong of [-1, 0.5, '7', null]) {
        for (const name of ['s', 'n']) {
          expect(decodeServerMessage(JSON.stringify({ k: 't', s: 1, n: 2, [name]: wrong }))).to.equal(undefined);
        }
      }
    });

    it('is larger than a screen can be, or empty', () => {
      const size = (n: number, c: number) => decodeServerMessage(JSON.stringify({ ...whole, n, c }));
      expect(size(255, 255)).to.include({ n: 255, c: 255 });
      for (const [n, c] of [
        [256, 80],
        [24, 256],
        [0, 80],
        [24, 0],
      ] as const)
        expect(size(n, c)).to.equal(undefined);
    });

    it('has a lock, text, fields or characters that cannot be', () => {
      const wrong = {
        l: [3, true],
        g: ['1', -1],
        o: [1],
        t: [{}, [7], [['x', 'y']], [[1]], [[1, 2]], [[1, [2]]]],
        f: [{}, [1], [[]], [['1']], [[1, -2]]],
        x: [{}, [1], [[]], [[1]], [[1, '2']]],
      };
      for (const [name, values] of Object.entries(wrong)) {
        for (const value of values) {
          const text = JSON.stringify({ ...whole, [name]: value });
          expect(decodeServerMessage(text), text).to.equal(undefined);
        }
      }
    });
  });
});
