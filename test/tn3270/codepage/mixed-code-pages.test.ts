import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CodePage } from '../../../src/tn3270/codepage/code-page.js';
import { codePageNames, findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import type { DoubleByteCharacterSet } from '../../../src/tn3270/codepage/double-byte-character-set.js';
import { rounds } from '../../support/rounds.js';
import { charactersByGlibc, encodingsByGlibc, needGlibcIconv, pairsByGlibc, textByGlibc } from './glibc-iconv.js';

const mixedNames = codePageNames().filter((name) => findCodePage(name)?.doubleByte !== undefined);
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** For the few bytes of one character: two hundred thousand times a page it is three times as fast. */
function inHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += digits[byte];
  return text;
}

function page(name: string): CodePage & { readonly doubleByte: DoubleByteCharacterSet } {
  const found = findCodePage(name);
  if (found?.doubleByte === undefined) throw new Error(`no mixed code page ${name}`);
  return found as CodePage & { readonly doubleByte: DoubleByteCharacterSet };
}

/** Every code point of the first three planes, surrogates and the two shifts apart: the others have no characters. */
const codePoints = Array.from({ length: 0x30000 }, (_, code) => code).filter(
  (code) => (code < 0xd800 || code > 0xdfff) && code !== 0x0e && code !== 0x0f,
);

/**
 * Where glibc's tables are at fault: it encodes backslash and tilde as the bytes of yen sign, dollar sign and overline, though
 * they have bytes of their own, and knows U+FFE4 on 939 but not on 930, whose pairs are the same. The bytes here are those
 * of IBM's tables as ICU 72 has them; of U+FFE4, of 939.
 */
const encodedUnlikeGlibc: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  IBM930: { 92: 'b2', 126: 'a0', 65508: '0e426a0f' },
  IBM939: { 92: 'e0', 126: 'a1' },
  IBM1371: { 92: 'e0' },
};

describe('mixed code pages', () => {
  it('are those of Japan, Korea and China', () => {
    expect(mixedNames.join(' ')).to.equal('IBM930 IBM933 IBM935 IBM937 IBM939 IBM1364 IBM1371 IBM1388 IBM1390 IBM1399');
  });

  for (const name of mixedNames) {
    describe(name, () => {
      it("has the single bytes of glibc's iconv", function () {
        needGlibcIconv(this);
        const expected = charactersByGlibc(name).map((character) => character ?? '\ufffd');
        expected[0x0e] = '\x0e';
        expected[0x0f] = '\x0f';
        expect(Array.from(page(name).unitOfByte, (unit) => String.fromCharCode(unit))).to.deep.equal(expected);
        const withoutShifts = everyByte.filter((byte) => byte !== 0x0e && byte !== 0x0f);
        expect(page(name).decode(withoutShifts)).to.equal(
          expected.filter((_, byte) => byte !== 0x0e && byte !== 0x0f).join(''),
        );
      });

      it("decodes every pair as glibc's iconv does", function () {
        needGlibcIconv(this);
        const { doubleByte } = page(name);
        const expected = pairsByGlibc(name);
        expect(expected.size).to.be.greaterThan(9_000);
        const different: unknown[] = [];
        for (let pair = 0; pair <= 0xffff; pair++) {
          const character = doubleByte.decodePair(pair);
          if (character !== (expected.get(pair) ?? ''))
            different.push({ pair, character, expected: expected.get(pair) });
        }
        expect(different).to.deep.equal([]);
      });

      it("encodes every code point as glibc's iconv does", function () {
        needGlibcIconv(this);
        const codePage = page(name);
        const otherwise = encodedUnlikeGlibc[name] ?? {};
        const encodings = encodingsByGlibc(name, codePoints);
        const different = codePoints.flatMap((code, at) => {
          const byGlibc = encodings[at] === '3f' && code !== 0x1a ? '' : encodings[at];
          const expected = otherwise[code] ?? byGlibc ?? '';
          const character = String.fromCodePoint(code);
          const encoded = inHex(codePage.encode(character));
          const byte = codePage.encodeCodePoint(code);
          const pair = codePage.doubleByte.encodePair(character);
          const known = codePage.encodes(code);
          const right =
            known === (expected !== '') &&
            encoded === (expected || '0efefe0f') &&
            byte === (expected.length === 2 ? Number.parseInt(expected, 16) : -1) &&
            (expected.length < 4 || expected === `0e${pair.toString(16)}0f`) &&
            (known || pair === 0);
          return right ? [] : [{ code, encoded, expected, byte, pair, known }];
        });
        expect(different).to.deep.equal([]);
      });

      it("decodes any bytes as glibc's iconv does, with U+FFFD for what that leaves out", function () {
        needGlibcIconv(this);
        const codePage = page(name);
        fc.assert(
          fc.property(bytesWithShifts, (bytes) => {
            expect(codePage.decode(bytes).replaceAll('\ufffd', '')).to.equal(textByGlibc(name, bytes));
          }),
          { numRuns: rounds(20, 5) },
        );
      });

      it('gives text of its characters back', () => {
        const codePage = page(name);
        const characters = charactersGivenBack(codePage);
        fc.assert(
          fc.property(fc.string({ unit: fc.constantFrom(...characters), maxLength: 100 }), (text) => {
            expect(codePage.decode(codePage.encode(text))).to.equal(text);
          }),
          { numRuns: rounds(100, 30) },
        );
      });

      it('encodes any text as balanced shifts with single bytes and pairs between', () => {
        const codePage = page(name);
        fc.assert(
          fc.property(
            fc.string({ unit: fc.oneof(fc.constantFrom('A', '\n', '\u4e00', '\x0e', '\x0f', 'か\u309a'), anyUnit) }),
            (text) => {
              const balanced = /^(?:(?!0e|0f)..|0e(?:(?:[4-9a-e].|f[0-9a-e]){2})+0f)*$/;
              expect(hex(codePage.encode(text))).to.match(balanced);
            },
          ),
          { numRuns: rounds(100, 30) },
        );
      });
    });
  }
});

const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const bytesWithShifts = fc
  .array(fc.oneof(fc.constantFrom(0x0e, 0x0f, 0x40, 0x45), fc.integer({ min: 0x40, max: 0xfe }), fc.nat(255)), {
    maxLength: 3_000,
    size: 'max',
  })
  .map((bytes) => Uint8Array.from(bytes));

/** Characters that have one code each: single bytes, and one pair of every three hundred. */
function charactersGivenBack(codePage: CodePage & { readonly doubleByte: DoubleByteCharacterSet }): string[] {
  const found: string[] = [];
  for (let byte = 0; byte < 256; byte++) {
    const unit = codePage.unitOfByte[byte] as number;
    if (codePage.encodeCodePoint(unit) === byte) found.push(String.fromCharCode(unit));
  }
  for (let pair = 0x4040; pair <= 0xfefe; pair += 301) {
    const character = codePage.doubleByte.decodePair(pair);
    const hasPair = character !== '' && codePage.doubleByte.encodePair(character) === pair;
    if (hasPair && codePage.encodeCodePoint(character.codePointAt(0) as number) < 0) found.push(character);
  }
  return found;
}

// Expected values: ICU 72 (uconv), which has IBM's tables.
const written = [
  { page: 'IBM930', text: '日本', bytes: '0e456245660f' },
  { page: 'IBM939', text: 'ABC日本語xyz', bytes: 'c1c2c30e4562456648e70fa7a8a9' },
  { page: 'IBM930', text: 'ｱｲ', bytes: '8182' },
  { page: 'IBM1399', text: '€', bytes: 'e1' },
  { page: 'IBM933', text: '　가', bytes: '0e404088610f' },
  { page: 'IBM937', text: '一二', bytes: '0e4c414c480f' },
  { page: 'IBM935', text: '啊', bytes: '0e48a00f' },
  { page: 'IBM1399', text: 'か\u309aか', bytes: '0eecb544860f' },
];

describe('mixed code page charts', () => {
  for (const { page: name, text, bytes } of written) {
    it(`${name} has ${JSON.stringify(text)}`, () => {
      expect(hex(page(name).encode(text))).to.equal(bytes);
      expect(page(name).decode(Buffer.from(bytes, 'hex'))).to.equal(text);
    });
  }
});

describe('shifts', () => {
  const cases = [
    { what: 'may be missing at the end', bytes: 'c1 0e4562', text: 'A日' },
    { what: 'may be repeated', bytes: '0f c1 0e0e4562 0e4566 0f0f c2', text: 'A日本B' },
    { what: 'may hold nothing', bytes: 'c1 0e0f c2', text: 'AB' },
    { what: 'may be all there is', bytes: '0e', text: '' },
    { what: 'may cut a pair short', bytes: '0e456245', text: '日\ufffd' },
    { what: 'may be the second byte of a pair, which is none then', bytes: '0e450f4562', text: '\ufffd日' },
    { what: 'may hold pairs that are none', bytes: '0e 2525 ffff 4562 0f', text: '\ufffd\ufffd日' },
  ];
  for (const { what, bytes, text } of cases) {
    it(what, () => {
      expect(page('IBM939').decode(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))).to.equal(text);
    });
  }

  it('are no characters', () => {
    expect(hex(page('IBM939').encode('A\x0e日\x0fB'))).to.equal('c13f0e45620f3fc2');
    expect([0x0e, 0x0f].map((code) => page('IBM939').encodeCodePoint(code))).to.deep.equal([-1, -1]);
    expect([0x0e, 0x0f].map((code) => page('IBM939').encodes(code))).to.deep.equal([false, false]);
  });

  it('stand around the substitute of what the page does not have', () => {
    expect(hex(page('IBM939').encode('a\u{1f600}日\ud83db'))).to.equal('810efefe4562fefe0f82');
    expect(hex(page('IBM939').encode('\ufffd'))).to.equal('0efefe0f');
  });
});

describe('double-byte character sets', () => {
  it('have nothing outside 0x4040 to 0xFEFE', () => {
    const { doubleByte } = page('IBM1388');
    expect(doubleByte.decodePair(0x4040)).to.equal('\u3000');
    const outside = [-1, 0, 0x403f, 0xfeff, 0xffff, 0x14040, Number.NaN, 16448.5];
    expect(outside.map((pair) => doubleByte.decodePair(pair))).to.deep.equal(outside.map(() => ''));
    const none = ['', 'A', '\ud800', '日本', '__proto__', 'か\u309a'];
    expect(none.map((character) => doubleByte.encodePair(character))).to.deep.equal(none.map(() => 0));
  });

  it('are one object where pages share them', () => {
    expect(page('IBM930').doubleByte).to.equal(page('IBM939').doubleByte);
    expect(page('IBM1390').doubleByte).to.equal(page('IBM1399').doubleByte);
    expect(page('IBM930').doubleByte).not.to.equal(page('IBM1390').doubleByte);
    expect(page('IBM935').doubleByte).not.to.equal(page('IBM1388').doubleByte);
    expect(findCodePage('IBM037')?.doubleByte).to.equal(undefined);
  });

  it('take memory when first asked for, and once', () => {
    const script = `
      const { findCodePage } = await import(${JSON.stringify(new URL('../../../src/tn3270/codepage/code-pages.js', import.meta.url).href)});
      const used = () => (gc(), process.memoryUsage().heapUsed);
      findCodePage('IBM037');
      const start = used();
      const kept = [findCodePage('IBM1390')];
      const built = used();
      for (let time = 0; time < 20; time++) kept.push(findCodePage('IBM1399'), findCodePage('cp1390'));
      console.log(JSON.stringify({ first: built - start, again: used() - built }));`;
    const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const { first, again } = JSON.parse(output) as { first: number; again: number };
    expect(first).to.be.within(500_000, 8_000_000);
    // a second set would take as much as the first; what the engine compiles meanwhile takes some of it
    expect(again).to.be.lessThan(first / 2);
  });
});
