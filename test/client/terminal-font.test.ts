import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { codePageNames, findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { projectFolder } from '../support/project.js';

const inPublic = (name: string) => readFileSync(join(projectFolder, 'public', name));
const usual = inPublic('terminal-font.woff2');
const others = inPublic('terminal-font-more.woff2');
const style = readFileSync(join(projectFolder, 'client', 'terminal', 'style', 'screen.css'), 'utf8');

/** Numbers of tags that WOFF 2 does not write out (W3C, section 4.1); the others are not asked for. */
const tags: Readonly<Record<number, string>> = { 0: 'cmap', 1: 'head', 2: 'hhea', 3: 'hmtx', 10: 'glyf', 11: 'loca' };
const WRITTEN_OUT = 63;

/** The tables of a WOFF 2 file; glyf, loca and hmtx are transformed in it. */
function tablesOf(file: Buffer): ReadonlyMap<string, Buffer> {
  let at = 48;
  const number = () => {
    let value = 0;
    for (;;) {
      const byte = file[at++] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  const entries: [string, number][] = [];
  for (let count = file.readUInt16BE(12); count > 0; count--) {
    const flags = file[at++] ?? 0;
    const known = flags & 63;
    const tag = known === WRITTEN_OUT ? file.toString('latin1', at, at + 4) : (tags[known] ?? String(known));
    if (known === WRITTEN_OUT) at += 4;
    const version = flags >> 6;
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
    const original = number();
    entries.push([tag, isTransformed ? number() : original]);
  }
  const data = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)));
  const tables = new Map<string, Buffer>();
  let from = 0;
  for (const [tag, length] of entries) {
    tables.set(tag, data.subarray(from, from + length));
    from += length;
  }
  return tables;
}

/** All code points that have a glyph (OpenType, cmap format 4). */
function codePointsOf(cmap: Buffer): ReadonlySet<number> {
  const found = new Set<number>();
  for (let table = 0; table < cmap.readUInt16BE(2); table++) {
    const start = cmap.readUInt32BE(8 + 8 * table);
    if (cmap.readUInt16BE(start) !== 4) continue;
    const double = cmap.readUInt16BE(start + 6);
    for (let at = 0; at < double; at += 2) {
      const last = cmap.readUInt16BE(start + 14 + at);
      const first = cmap.readUInt16BE(start + 16 + double + at);
      for (let code = first; code <= last && code < 0xffff; code++) found.add(code);
    }
  }
  return found;
}

describe('the font of the terminal', () => {
  const charactersOf = (font: Buffer) => codePointsOf(tablesOf(font).get('cmap') ?? Buffer.alloc(0));
  const codePoints = new Set([...charactersOf(usual), ...charactersOf(others)]);
  const lacking = (characters: Iterable<string>) =>
    [...characters].filter((character) => !codePoints.has(character.codePointAt(0) ?? 0)).join('');
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));

  it('has line drawing, blocks and APL without a gap', () => {
    expect(lacking(range(0x2500, 0x259f))).to.equal('');
    expect(lacking(range(0x2336, 0x237a))).to.equal('');
    // code page 310 as IBM prints it; the lines at the edges of a cell are the style sheet's; the end of a proof is in no such font
    expect(
      lacking('⋄∧¨⌻⍸⍷⊢⊣∨∼│↑↓≤⌈⌊→⎕▌▐▀▄■⊃⊂¤○±←¯°─•∩∪⊥≥∘⍺∊⍳⍴⍵×÷∇∆⊤≠∣⁼└┌├┴§⍲⍱⌷⌽⍂⍉⁾┼┘┐┤┬¶⌶⍒⍋⍞⍝≡₁ʂʃ⍤⍥⍪€⌿⍀∵⊖⌹⍕⁰¹²³⁴⁵⁶⁷⁸⁹⍫⍙⍟⍎'),
    ).to.equal('');
  });

  it('has every character of the Latin, Greek and Cyrillic code pages', () => {
    // Arabic, Hebrew, Thai, Lao, Devanagari, Katakana and what is shown as it need fonts of their own
    const others = /[\u0590-\u0e7f\u0e80-\u0eff\u0900-\u097f\u2000-\u206f\u3000-\uffff\p{C}]/u;
    const seen = new Map<string, string>();
    for (const name of codePageNames()) {
      const page = findCodePage(name);
      const text = page?.decode(Uint8Array.from({ length: 0xbf }, (_, at) => at + 0x40)) ?? '';
      const missing = lacking([...text].filter((character) => !others.test(character)));
      if (missing !== '') seen.set(name, missing);
    }
    expect(Object.fromEntries(seen)).to.deep.equal({});
  });

  it('has letters that are all as wide, by what the style sheet counts on', () => {
    for (const tables of [usual, others].map(tablesOf)) {
      const hhea = tables.get('hhea') ?? Buffer.alloc(0);
      const head = tables.get('head') ?? Buffer.alloc(0);
      expect([hhea.readUInt16BE(10), head.readUInt16BE(18)], 'advance, units an em').to.deep.equal([1_233, 2_048]);
    }
    expect(style).to.include('var(--cell) * 2048 / 1233');
  });

  it('has in each of its two files what the style sheet says of it, and nothing twice', () => {
    const said = [...style.matchAll(/src: url\("([\w.-]+)"\)[^}]*unicode-range:([^;]*);/g)].map(
      ([, name = '', ranges = '']) => {
        const codes = [...ranges.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/g)].flatMap(([, first = '', last = first]) =>
          range(Number.parseInt(first, 16), Number.parseInt(last, 16)),
        );
        return { name, characters: new Set(codes) };
      },
    );
    expect(said.map(({ name }) => name)).to.deep.equal(['terminal-font.woff2', 'terminal-font-more.woff2']);
    for (const { name, characters } of said) {
      const outside = [...charactersOf(inPublic(name))]
        .map((code) => String.fromCodePoint(code))
        .filter((character) => !characters.has(character));
      expect(outside.join(''), name).to.equal('');
    }
    const [first, second] = said.map(({ characters }) => characters);
    expect([...(first ?? [])].filter((character) => second?.has(character))).to.deep.equal([]);
    // what any host shows in English, French or German needs the first alone
    const english = 'The quick brown fox jumps over the lazy dog. 0123456789 !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
    const signs = 'ÄÖÜäöüßàâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»¢¬¦§£€°';
    expect([...english, ...signs].filter((character) => !first?.has(character)).join('')).to.equal('');
  });
});
