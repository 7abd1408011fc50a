import { expect } from 'chai';
import fc from 'fast-check';
import type { CodePage } from '../../../src/tn3270/codepage/code-page.js';
import { codePageNames, findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { rounds } from '../../support/rounds.js';
import { bytesByGlibc, charactersByGlibc, needGlibcIconv } from './glibc-iconv.js';

const singleByteNames = codePageNames().filter((name) => findCodePage(name)?.doubleByte === undefined);
/** Of each of the pages. */
const cases = { numRuns: rounds(100, 20) };
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

function page(name: string): CodePage {
  const found = findCodePage(name);
  if (found === undefined) throw new Error(`no code page ${name}`);
  return found;
}

/**
 * IBM's bytes where glibc has others, or lacks the page: the table of IBM Toolbox for Java (jt400.jar of node-jt400 5.4.1,
 * CharConverter), for 875 also that of ICU 72 (`uconv -f ibm-875`).
 */
const ofIbm: Readonly<Record<string, { readonly glibc: string; readonly bytes: ReadonlyMap<number, string> }>> = {
  IBM875: {
    glibc: 'IBM875',
    bytes: new Map([
      [0x6a, '|'],
      [0x74, '\u00a0'],
      [0xdd, '\u0387'],
    ]),
  },
  IBM924: {
    glibc: 'IBM1047',
    bytes: new Map([
      [0x4a, 'Ý'],
      [0x6a, 'Š'],
      [0x9d, 'ž'],
      [0x9f, '€'],
      [0xb0, '¢'],
      [0xb7, 'Œ'],
      [0xb8, 'œ'],
      [0xb9, 'Ÿ'],
      [0xba, '¬'],
      [0xbb, 'š'],
      [0xbe, 'Ž'],
    ]),
  },
};

/** What each byte of a page is. */
function expectedCharacters(name: string): string[] {
  const { glibc = name, bytes } = ofIbm[name] ?? {};
  return charactersByGlibc(glibc).map((character, byte) => bytes?.get(byte) ?? character ?? '\ufffd');
}

/** The byte of each code point of the BMP on a page. */
function expectedBytes(name: string): Array<number | undefined> {
  const { glibc = name, bytes } = ofIbm[name] ?? {};
  const found = bytesByGlibc(glibc).map((byte) => (byte !== undefined && bytes?.has(byte) ? undefined : byte));
  for (const [byte, character] of bytes ?? []) found[character.charCodeAt(0)] = byte;
  return found;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('code pages', () => {
  it('are those of glibc, single-byte and mixed, and IBM924', () => {
    expect(codePageNames()).to.deep.equal(
      (
        'IBM037 IBM273 IBM275 IBM277 IBM278 IBM280 IBM284 IBM285 IBM297 IBM420 IBM423 IBM424 IBM500 IBM803 IBM870 IBM871 ' +
        'IBM875 IBM880 IBM905 IBM918 IBM924 IBM930 IBM933 IBM935 IBM937 IBM939 IBM1025 IBM1026 IBM1047 IBM1097 IBM1112 IBM1122 ' +
        'IBM1123 IBM1130 IBM1132 IBM1137 IBM1140 IBM1141 IBM1142 IBM1143 IBM1144 IBM1145 IBM1146 IBM1147 IBM1148 IBM1149 ' +
        'IBM1153 IBM1154 IBM1155 IBM1156 IBM1157 IBM1158 IBM1160 IBM1164 IBM1166 IBM1364 IBM1371 IBM1388 IBM1390 IBM1399 ' +
        'IBM4899 IBM4971 IBM9030 IBM12712 IBM16804'
      ).split(' '),
    );
  });

  for (const name of singleByteNames) {
    describe(name, () => {
      it("decodes every byte as glibc's iconv does", function () {
        needGlibcIconv(this);
        const expected = expectedCharacters(name);
        expect(Array.from(page(name).decode(everyByte))).to.deep.equal(expected);
        expect(Array.from(page(name).unitOfByte, (unit) => String.fromCharCode(unit))).to.deep.equal(expected);
      });

      it("encodes every code point of the BMP as glibc's iconv does, and SUB where that has no byte", function () {
        needGlibcIconv(this);
        const codePage = page(name);
        const different: unknown[] = [];
        for (const [code, byte] of expectedBytes(name).entries()) {
          const encoded = codePage.encode(String.fromCharCode(code));
          const expected = byte ?? 0x3f;
          const known = codePage.encodes(code);
          const right = encoded.length === 1 && encoded[0] === expected && known === (byte !== undefined);
          if (right && codePage.encodeCodePoint(code) === (byte ?? -1)) continue;
          different.push({ code, encoded: hex(encoded), expected, known });
        }
        expect(different).to.deep.equal([]);
      });

      it('gives text of its characters back', () => {
        const codePage = page(name);
        const characters = Array.from(codePage.decode(everyByte)).filter((character) => character !== '\ufffd');
        fc.assert(
          fc.property(fc.string({ unit: fc.constantFrom(...characters), maxLength: 200 }), (text) => {
            expect(codePage.decode(codePage.encode(text))).to.equal(text);
          }),
          cases,
        );
      });

      it('makes of any text one byte a code point', () => {
        const codePage = page(name);
        fc.assert(
          fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
            const codePoints = Array.from(text, (character) => character.codePointAt(0) as number);
            const bytes = codePage.encode(text);
            expect(bytes).to.have.length(codePoints.length);
            codePoints.forEach((code, at) => {
              if (!codePage.encodes(code)) expect(bytes[at]).to.equal(0x3f);
            });
          }),
          cases,
        );
      });

      it('makes of any bytes one character a byte', () => {
        const codePage = page(name);
        fc.assert(
          fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
            const text = codePage.decode(bytes);
            expect(text).to.equal(Array.from(bytes, (byte) => codePage.decode(Uint8Array.of(byte))).join(''));
            expect(text).to.have.length(bytes.length);
          }),
          cases,
        );
      });
    });
  }
});

// Expected values: IBM's code page charts (CDRA), where they agree with glibc.
const written = [
  { page: 'IBM037', text: 'Hello, [World]!', bytes: 'c885939396 6b40 ba e696999384 bb 5a' },
  { page: 'IBM1047', text: 'a[0]^', bytes: '81adf0bd5f' },
  { page: 'IBM500', text: '[x]!', bytes: '4aa75a4f' },
  { page: 'IBM273', text: 'Größe', bytes: 'c7996aa185' },
  { page: 'IBM297', text: 'à la façade @', bytes: '7c 40 9381 40 8681e0818485 40 44' },
  { page: 'IBM1147', text: '0.7236 €', bytes: 'f04bf7f2f3f6409f' },
  { page: 'IBM1142', text: '€', bytes: '5a' },
  { page: 'IBM875', text: 'Ωμέγα', bytes: '679fb28c8a' },
  { page: 'IBM875', text: '|\u00a0\u0387', bytes: '6a74dd' },
  { page: 'IBM924', text: '[Œuvre] 5 € Žš', bytes: 'adb7a4a59985bd40f5409f40bebb' },
  { page: 'IBM424', text: 'אבג', bytes: '414243' },
  { page: 'IBM1026', text: 'İı', bytes: '5b79' },
];

describe('code page charts', () => {
  for (const { page: name, text, bytes } of written) {
    it(`${name} has ${JSON.stringify(text)}`, () => {
      const expected = bytes.replaceAll(' ', '');
      expect(hex(page(name).encode(text))).to.equal(expected);
      expect(page(name).decode(Buffer.from(expected, 'hex'))).to.equal(text);
    });
  }

  it('tells new line from line feed', () => {
    for (const name of codePageNames()) {
      expect(page(name).decode(Uint8Array.of(0x15, 0x25)), name).to.equal('\u0085\n');
      expect(hex(page(name).encode('\u0085\n')), name).to.equal('1525');
    }
  });
});

describe('substitution', () => {
  const cases = [
    { what: 'a character of another script', text: 'a\u4e2db', bytes: '813f82' },
    { what: 'the euro sign on a page without it', text: '€', bytes: '3f' },
    { what: 'a surrogate pair, once', text: 'a\u{1f600}b', bytes: '813f82' },
    { what: 'a lone high surrogate', text: '\ud83da', bytes: '3f81' },
    { what: 'a high surrogate at the end', text: 'a\ud83d', bytes: '813f' },
    { what: 'a lone low surrogate', text: '\ude00a', bytes: '3f81' },
    { what: 'surrogates in the wrong order', text: '\ude00\ud83d', bytes: '3f3f' },
    { what: 'the replacement character', text: '\ufffd', bytes: '3f' },
    { what: 'SUB itself, which is no substitution', text: '\u001a', bytes: '3f' },
    { what: 'nothing', text: '', bytes: '' },
  ];
  for (const { what, text, bytes } of cases) {
    it(`of ${what}`, () => {
      expect(hex(page('IBM037').encode(text))).to.equal(bytes);
    });
  }

  it('never finds a byte for the mark of unassigned bytes', () => {
    expect(page('IBM424').decode(Uint8Array.of(0x70))).to.equal('\ufffd');
    expect(hex(page('IBM424').encode('\ufffd'))).to.equal('3f');
  });

  it('is foretold by encodes', () => {
    const codePage = page('IBM037');
    const asked = [0x41, 0x1a, 0, 0xff, 0x20ac, 0xd800, 0xfffd, 0x10041, 0x10ffff, 0x110000, -1];
    expect(asked.map((code) => codePage.encodes(code))).to.deep.equal([
      true,
      true,
      true,
      true,
      ...new Array(7).fill(false),
    ]);
  });

  it('gives an array of its own each time', () => {
    const first = page('IBM037').encode('A\u{1f600}');
    first.fill(0);
    expect(hex(page('IBM037').encode('A\u{1f600}'))).to.equal('c13f');
    expect(first.buffer.byteLength).to.equal(first.length);
  });
});
