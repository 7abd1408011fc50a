// Writes code-page-tables.ts and tables/ of src/tn3270/codepage from the EBCDIC conversions of glibc's iconv.
// Run manually (`node scripts/make-code-page-tables.mjs`) on a machine with glibc's iconv; the result is committed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const completePages = [
  37, 273, 275, 277, 278, 280, 284, 285, 297, 420, 423, 424, 500, 803, 870, 871, 875, 880, 905, 918, 1025, 1026, 1047,
  1097, 1112, 1122, 1123, 1130, 1132, 1137, 1153, 1154, 1155, 1156, 1157, 1158, 1160, 1164, 1166, 4899, 4971, 9030,
  12712, 16804,
];
/** Pages with a double-byte half; the single-byte half is among the others. */
const mixedPages = [930, 933, 935, 937, 939, 1364, 1371, 1388, 1390, 1399];
/** Pages that share a half, named after the first, and pages that have a part of it. Sharing is verified. */
const doubleByteHalves = [
  { pages: [1364], part: [933] },
  { pages: [1371], part: [937] },
  { pages: [1388], part: [935] },
  { pages: [1399, 1390], part: [939, 930] },
];
/** Euro page: the page it was derived from. */
const derivedPages = {
  1140: 37,
  1141: 273,
  1142: 277,
  1143: 278,
  1144: 280,
  1145: 284,
  1146: 285,
  1147: 297,
  1148: 500,
  1149: 871,
};
/**
 * Bytes that glibc decodes differently from IBM. Sources: ICU 72 and IBM Toolbox for Java (jt400.jar of node-jt400
 * 5.4.1). glibc's own IBM4971, which is IBM875 with the euro sign, agrees with them.
 */
const asIbmHasThem = {
  875: [
    [0x6a, '|'],
    [0x74, '\u00a0'],
    [0xdd, '\u0387'],
  ],
};
/** Pages that glibc does not have: IBM's base page, and the bytes that differ. Source: IBM Toolbox for Java. */
const pagesOfIbm = {
  924: {
    base: 1047,
    changes: [
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
    ],
  },
};
const unassigned = '\ufffd';
const newline = 0x25;

const iconvVersion = spawnSync('iconv', ['--version'], { encoding: 'utf8' }).stdout?.split('\n')[0] ?? '';
const glibcVersion = /\b(?:GLIBC|GNU libc)\b.*\b(2\.\d+)$/i.exec(iconvVersion)?.[1];
if (glibcVersion === undefined) throw new Error(`glibc's iconv is needed, found: ${iconvVersion}`);

const iconvName = (page) => `IBM${String(page).padStart(3, '0')}`;

/** `-c` leaves out unmapped items, so a newline after every item marks its end. */
function iconv(from, to, input) {
  const { stdout, error, stderr } = spawnSync('iconv', ['-c', '-f', from, '-t', to], { input, maxBuffer: 1 << 20 });
  if (error) throw error;
  if (stdout.length === 0) throw new Error(`iconv -f ${from} -t ${to}: ${stderr}`);
  return stdout;
}

function decodedBytes(page) {
  // a shift would change the decoding of the following bytes: a newline replaces it
  const sent = (byte) => (mixedPages.includes(page) && (byte === 0x0e || byte === 0x0f) ? newline : byte);
  const input = Buffer.from(Array.from({ length: 256 }, (_, byte) => [sent(byte), newline]).flat());
  const text = iconv(iconvName(page), 'UTF-16LE', input).toString('utf16le');
  const characters = [];
  let at = 0;
  for (let byte = 0; byte < 256; byte++) {
    const present = sent(byte) === newline || text[at] !== '\n';
    characters.push(present ? text[at++] : unassigned);
    if (text[at++] !== '\n') throw new Error(`${iconvName(page)}: byte ${byte} is more than one character`);
  }
  for (const [byte, character] of asIbmHasThem[page] ?? []) characters[byte] = character;
  return characters;
}

/** `[character, byte]` for characters whose byte does not decode to them, or is not the last that does. */
function encodedOtherwiseAsByte(page, characters) {
  const others = [];
  for (let code = 0; code <= 0xffff; code++) {
    if (code < 0xd800 || code > 0xdfff) others.push(String.fromCharCode(code));
  }
  const bytes = iconv('UTF-16LE', iconvName(page), Buffer.from(others.map((one) => `${one}\n`).join(''), 'utf16le'));
  const found = [];
  let at = 0;
  for (const character of others) {
    if (character === '\n' || bytes[at] !== newline) {
      const byte = bytes[at++];
      if (characters.lastIndexOf(character) !== byte) found.push([character, byte]);
    }
    at++;
  }
  // characters that IBM decodes differently from glibc are encoded like IBM
  const changed = new Set((asIbmHasThem[page] ?? []).map(([byte]) => byte));
  return found.filter(([, byte]) => !changed.has(byte));
}

/** Right-to-left letters are escaped too: an editor would show their row backwards. */
const readable = /^[\p{L}\p{N}\p{P}\p{S} ]$/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

function literal(characters) {
  const quote = characters.filter((c) => c === "'").length > characters.filter((c) => c === '"').length ? '"' : "'";
  const escaped = characters.map((c) => {
    if (c === quote || c === '\\') return `\\${c}`;
    // an editor that normalizes would change U+0387 into U+00B7
    const isKept = c.normalize() === c && c !== unassigned;
    if (isKept && readable.test(c) && !rightToLeft.test(c)) return c;
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `${quote}${escaped.join('')}${quote}`;
}

const hexadecimal = (byte) => `0x${byte.toString(16).padStart(2, '0')}`;
const rows = (characters) =>
  Array.from(
    { length: characters.length / 16 },
    (_, row) => `    ${literal(characters.slice(row * 16, row * 16 + 16))},`,
  );

const controls = decodedBytes(37).slice(0, 0x40);
const padded = (page) => String(page).padStart(3, '0');
const extras = (page, characters) =>
  encodedOtherwiseAsByte(page, characters).map(
    ([character, byte]) => `[${literal([character])}, ${hexadecimal(byte)}]`,
  );
const output = [
  `// Made by scripts/make-code-page-tables.mjs from the iconv of glibc ${glibcVersion}: run that instead of editing this.`,
  '',
  'export interface CodePageTable {',
  '  /** 256 UTF-16 units, one for each byte; U+FFFD where the page assigns none. */',
  '  readonly characters: string;',
  '  /** Characters whose byte is not the last that decodes to them, or decodes to another one: `[character, byte]`. */',
  '  readonly encodedOtherwise: ReadonlyArray<readonly [character: string, byte: number]>;',
  '}',
  '',
  '/** Bytes 0x00 to 0x3F, the same on every page. */',
  'const controls = [',
  ...rows(controls).map((row) => row.slice(2)),
  "].join('');",
  '',
  '/** Sixteen bytes a row, from 0x40 to 0xFF. */',
  "function complete(rows: readonly string[], encodedOtherwise: CodePageTable['encodedOtherwise'] = []): CodePageTable {",
  "  return { characters: controls + rows.join(''), encodedOtherwise };",
  '}',
  '',
  'function derived(',
  '  base: CodePageTable,',
  '  changes: ReadonlyArray<readonly [byte: number, character: string]>,',
  "  encodedOtherwise: CodePageTable['encodedOtherwise'],",
  '): CodePageTable {',
  '  const characters = Array.from(base.characters);',
  '  for (const [byte, character] of changes) characters[byte] = character;',
  "  return { characters: characters.join(''), encodedOtherwise };",
  '}',
  '',
];
const tables = new Map();
for (const page of [...completePages, ...mixedPages]) {
  const characters = decodedBytes(page);
  if (mixedPages.includes(page)) for (const shift of [0x0e, 0x0f]) characters[shift] = controls[shift];
  if (characters.slice(0, 0x40).join('') !== controls.join('')) throw new Error(`${page} has other controls`);
  // unlike IBM's, glibc's 930, 939 and 1371 encode backslash and tilde as bytes that decode to other characters
  const more = mixedPages.includes(page) ? [] : extras(page, characters);
  tables.set(page, characters);
  output.push(
    `const ibm${padded(page)} = complete([`,
    ...rows(characters.slice(0x40)).map((row) => row.slice(2)),
    more.length > 0 ? `], [${more.join(', ')}]);` : ']);',
    '',
  );
}
output.push(
  '/** By code page number; of the mixed pages the single-byte half. */',
  'export const codePageTables: Readonly<Record<number, CodePageTable>> = {',
);
for (const page of tables.keys()) output.push(`  ${page}: ibm${padded(page)},`);
for (const [page, base] of Object.entries(derivedPages)) {
  const characters = decodedBytes(page);
  const changes = characters.flatMap((character, byte) =>
    character === tables.get(base)[byte] ? [] : [`[${hexadecimal(byte)}, ${literal([character])}]`],
  );
  const extra = extras(page, characters);
  output.push(`  ${page}: derived(ibm${padded(base)}, [${changes.join(', ')}], [${extra.join(', ')}]),`);
}
for (const [page, { base, changes }] of Object.entries(pagesOfIbm)) {
  const written = changes.map(([byte, character]) => `[${hexadecimal(byte)}, ${literal([character])}]`);
  output.push(`  ${page}: derived(ibm${padded(base)}, [${written.join(', ')}], []),`);
}
output.push('};', '');
writeFileSync(new URL('../src/tn3270/codepage/code-page-tables.ts', import.meta.url), output.join('\n'));

/** Range of both bytes of a pair. */
const LOWEST = 0x40;
const HIGHEST = 0xfe;
/** A longer gap between two pairs ends the line. */
const LONGEST_GAP = 8;
/** Shorter sequences of consecutive characters are written in full, others as first and last. */
const SHORTEST_RANGE = 4;

/** Pair → text for every assigned pair, in rising order. Each is framed to detect unmapped pairs. */
function decodedPairs(page) {
  const found = new Map();
  for (let first = LOWEST; first <= HIGHEST; first++) {
    const seconds = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, at) => LOWEST + at);
    const input = Buffer.from(seconds.flatMap((second) => [0x0e, first, second, 0x0f, newline]));
    const lines = iconv(iconvName(page), 'UTF-16LE', input).toString('utf16le').split('\n');
    if (lines.length !== seconds.length + 1) throw new Error(`${page}: row ${first} is ${lines.length} lines`);
    for (const [at, second] of seconds.entries()) if (lines[at] !== '') found.set((first << 8) | second, lines[at]);
  }
  return found;
}

/**
 * `[pair, character]` for each BMP character whose pair is not the lowest that decodes to it. Characters with a single
 * byte are left out, because the encoder tries single bytes first.
 */
function encodedOtherwise(page, pairs) {
  const lowest = new Map();
  for (const [pair, text] of pairs) if (!lowest.has(text)) lowest.set(text, pair);
  const characters = [];
  for (let code = 0x80; code <= 0xffff; code++) {
    if (code < 0xd800 || code > 0xdfff) characters.push(String.fromCharCode(code));
  }
  // the letter A after each character switches to single bytes, and is not part of a sequence
  const bytes = iconv('UTF-16LE', iconvName(page), Buffer.from(characters.map((one) => `${one}A`).join(''), 'utf16le'));
  const found = [];
  let at = 0;
  for (const character of characters) {
    if (bytes[at] === 0x0e) {
      const pair = (bytes[at + 1] << 8) | bytes[at + 2];
      if (lowest.get(character) !== pair) found.push([pair, character]);
      at += 4;
    } else if (bytes[at] !== letterA) at++;
    if (bytes[at++] !== letterA)
      throw new Error(`${page}: U+${character.charCodeAt(0).toString(16)} is not one character`);
  }
  return found;
}
const letterA = 0xc1;

/** Escapes characters that an editor would not show or would combine with the previous one. */
function written(text) {
  if (text === undefined) return '.';
  if (/[\0-\x7f]/.test(text)) throw new Error(`${JSON.stringify(text)} has a meaning of its own in a table`);
  const characters = [...text].map((c) =>
    /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(c) && !rightToLeft.test(c) ? c : `\\u{${c.codePointAt(0).toString(16)}}`,
  );
  return characters.length === 1 ? characters[0] : `(${characters.join('')})`;
}

/** Text of a table in the format of src/tn3270/codepage/double-byte-character-set.ts. */
function pairText(pairs) {
  const lines = [];
  let open;
  for (const [pair, text] of pairs) {
    if (open === undefined || pair >> 8 !== open.first >> 8 || pair < open.next || pair - open.next > LONGEST_GAP) {
      open = { first: pair, next: pair, texts: [] };
      lines.push(open);
    }
    for (; open.next < pair; open.next++) open.texts.push(undefined);
    open.texts.push(text);
    open.next++;
  }
  return lines.map(({ first, texts }) => `${first.toString(16)} ${cells(texts)}`).join('\n');
}

function cells(texts) {
  let line = '';
  for (let at = 0; at < texts.length; ) {
    const code = texts[at]?.codePointAt(0);
    const follows = (steps) => texts[at + steps] === String.fromCodePoint(code + steps);
    let count = 1;
    if (code !== undefined && follows(0)) while (at + count < texts.length && follows(count)) count++;
    if (count < SHORTEST_RANGE) count = 1;
    line += count === 1 ? written(texts[at]) : `${written(texts[at])}-${written(texts[at + count - 1])}`;
    at += count;
  }
  return line;
}

/** Run lengths: number of pairs in turn that the part has, does not have, has … */
function runs(whole, part) {
  const lengths = [0];
  for (const pair of whole.keys()) {
    const has = lengths.length % 2 === 1;
    if (part.has(pair) !== has) lengths.push(0);
    lengths[lengths.length - 1]++;
  }
  for (const pair of part.keys()) if (!whole.has(pair)) throw new Error(`pair ${pair.toString(16)} is in no whole`);
  return lengths.join(' ');
}

/**
 * Pages that share a half have the same pairs. Encoding exceptions may exist in only one of them (glibc's 930 has no
 * pair for U+FFE4, 939 has one), but never differ.
 */
function sharedHalf([page, ...others]) {
  const pairs = decodedPairs(page);
  const pairOf = new Map(encodedOtherwise(page, pairs).map(([pair, character]) => [character, pair]));
  for (const other of others) {
    if (pairText(decodedPairs(other)) !== pairText(pairs)) throw new Error(`${other} is not ${page}`);
    for (const [pair, character] of encodedOtherwise(other, pairs)) {
      if ((pairOf.get(character) ?? pair) !== pair) throw new Error(`${other} encodes ${character} unlike ${page}`);
      pairOf.set(character, pair);
    }
  }
  const otherwise = [...pairOf].map(([character, pair]) => [pair, character]).sort(([left], [right]) => left - right);
  return { pairs, otherwise: pairText(otherwise) };
}

mkdirSync(new URL('../src/tn3270/codepage/tables/', import.meta.url), { recursive: true });
for (const { pages, part } of doubleByteHalves) {
  const whole = sharedHalf(pages);
  const smaller = sharedHalf(part);
  const changes = new Map([...smaller.pairs].filter(([pair, text]) => whole.pairs.get(pair) !== text));
  const lines = [
    `// Made by scripts/make-code-page-tables.mjs from the iconv of glibc ${glibcVersion}: run that instead of editing this.`,
    "import type { PairTable } from '../pair-table.js';",
    '',
    `/** The double-byte half of ${pages.join(' and ')}, and of ${part.join(' and ')}. */`,
    `export const ibm${pages[0]}Pairs = (): PairTable => ({`,
    `  encodedOtherwise: \`${whole.otherwise}\`,`,
    '  part: {',
    `    encodedOtherwise: \`${smaller.otherwise}\`,`,
    `    changes: \`${pairText(changes)}\`,`,
    `    runs: '${runs(whole.pairs, smaller.pairs)}',`,
    '  },',
    `  pairs: \`${pairText(whole.pairs)}\`,`,
    '});',
    '',
  ];
  writeFileSync(new URL(`../src/tn3270/codepage/tables/ibm${pages[0]}-pairs.ts`, import.meta.url), lines.join('\n'));
}
