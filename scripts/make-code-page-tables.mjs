// Writes src/codepage/code-page-tables.ts and src/codepage/tables/ from what glibc's iconv says about every EBCDIC page.
// Run by hand (`node scripts/make-code-page-tables.mjs`) where glibc's iconv is installed; the result is committed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const completePages = [
  37, 273, 275, 277, 278, 280, 284, 285, 297, 420, 423, 424, 500, 803, 870, 871, 875, 880, 905, 918, 1025, 1026, 1047,
  1097, 1112, 1122, 1123, 1130, 1132, 1137, 1153, 1154, 1155, 1156, 1157, 1158, 1160, 1164, 1166,
];
/** Pages with a double-byte half; the single-byte half stands among the others. */
const mixedPages = [930, 933, 935, 937, 939, 1364, 1371, 1388, 1390, 1399];
/** The double-byte halves, each a part of the largest of its language: page → the page whose table it is taken from. */
const pairTables = { 1364: [933], 1371: [937], 1388: [935], 1399: [930, 939, 1390] };
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
const unassigned = '\ufffd';
const newline = 0x25;

const iconvVersion = spawnSync('iconv', ['--version'], { encoding: 'utf8' }).stdout?.split('\n')[0] ?? '';
const glibcVersion = /\b(?:GLIBC|GNU libc)\b.*\b(2\.\d+)$/i.exec(iconvVersion)?.[1];
if (glibcVersion === undefined) throw new Error(`glibc's iconv is needed, found: ${iconvVersion}`);

const iconvName = (page) => `IBM${String(page).padStart(3, '0')}`;

/** `-c` leaves out what has no mapping, so every item is followed by a newline that shows where it ended. */
function iconv(from, to, input) {
  const { stdout, error, stderr } = spawnSync('iconv', ['-c', '-f', from, '-t', to], { input, maxBuffer: 1 << 20 });
  if (error) throw error;
  if (stdout.length === 0) throw new Error(`iconv -f ${from} -t ${to}: ${stderr}`);
  return stdout;
}

function decodedBytes(page) {
  // a shift would change how the rest is read: a newline stands in for it
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
  return characters;
}

/** Characters that a page encodes though no byte of it decodes to them: `[character, byte]`. */
function encodedOnly(page, characters) {
  const others = [];
  for (let code = 0; code <= 0xffff; code++) {
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    if (!surrogate && !characters.includes(String.fromCharCode(code))) others.push(String.fromCharCode(code));
  }
  const bytes = iconv('UTF-16LE', iconvName(page), Buffer.from(others.map((one) => `${one}\n`).join(''), 'utf16le'));
  const found = [];
  let at = 0;
  for (const character of others) {
    if (bytes[at] !== newline) found.push([character, bytes[at++]]);
    at++;
  }
  return found;
}

/** Right-to-left letters are escaped too: an editor would show their row backwards. */
const readable = /^[\p{L}\p{N}\p{P}\p{S} ]$/u;
const rightToLeft = /\p{Script=Hebrew}/u;

function literal(characters) {
  const quote = characters.filter((c) => c === "'").length > characters.filter((c) => c === '"').length ? '"' : "'";
  const escaped = characters.map((c) => {
    if (c === quote || c === '\\') return `\\${c}`;
    if (readable.test(c) && !rightToLeft.test(c) && c !== unassigned) return c;
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
  encodedOnly(page, characters).map(([character, byte]) => `[${literal([character])}, ${hexadecimal(byte)}]`);
const output = [
  `// Made by scripts/make-code-page-tables.mjs from the iconv of glibc ${glibcVersion}: run that instead of editing this.`,
  '',
  'export interface CodePageTable {',
  '  /** 256 UTF-16 units, one for each byte; U+FFFD where the page assigns none. */',
  '  readonly characters: string;',
  '  /** Further characters that have a byte, though that byte decodes to another one: `[character, byte]`. */',
  '  readonly encodedOnly: ReadonlyArray<readonly [character: string, byte: number]>;',
  '}',
  '',
  '/** Bytes 0x00 to 0x3F, the same on every page. */',
  'const controls = [',
  ...rows(controls).map((row) => row.slice(2)),
  "].join('');",
  '',
  '/** Sixteen bytes a row, from 0x40 to 0xFF. */',
  "function complete(rows: readonly string[], encodedOnly: CodePageTable['encodedOnly'] = []): CodePageTable {",
  "  return { characters: controls + rows.join(''), encodedOnly };",
  '}',
  '',
  'function derived(',
  '  base: CodePageTable,',
  '  changes: ReadonlyArray<readonly [byte: number, character: string]>,',
  "  encodedOnly: CodePageTable['encodedOnly'],",
  '): CodePageTable {',
  '  const characters = Array.from(base.characters);',
  '  for (const [byte, character] of changes) characters[byte] = character;',
  "  return { characters: characters.join(''), encodedOnly };",
  '}',
  '',
];
const tables = new Map();
for (const page of [...completePages, ...mixedPages]) {
  const characters = decodedBytes(page);
  if (mixedPages.includes(page)) for (const shift of [0x0e, 0x0f]) characters[shift] = controls[shift];
  if (characters.slice(0, 0x40).join('') !== controls.join('')) throw new Error(`${page} has other controls`);
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
output.push('};', '');
writeFileSync(new URL('../src/codepage/code-page-tables.ts', import.meta.url), output.join('\n'));

/** The bytes of a pair that can be a character. */
const LOWEST = 0x40;
const HIGHEST = 0xfe;

/** Pair → text, for every pair that the page assigns. Each pair is framed, so that what has no mapping shows. */
function decodedPairs(page) {
  const found = new Map();
  for (let first = LOWEST; first <= HIGHEST; first++) {
    const seconds = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, at) => LOWEST + at);
    const input = Buffer.from(seconds.flatMap((second) => [0x0e, first, second, 0x0f, newline]));
    const lines = iconv(iconvName(page), 'UTF-16LE', input).toString('utf16le').split('\n');
    if (lines.length !== seconds.length + 1) throw new Error(`${page}: row ${first} came back with ${lines.length} lines`);
    for (const [at, second] of seconds.entries()) if (lines[at] !== '') found.set((first << 8) | second, lines[at]);
  }
  return found;
}

/** Pairs that follow one another, the second byte running from LOWEST to HIGHEST. */
const following = (pair) => ((pair & 0xff) === HIGHEST ? ((pair >> 8) + 1) * 0x100 + LOWEST : pair + 1);
const COUNTED_FROM = 8;

/** `[first pair, text]` and, where the characters count upwards, `[first pair, first code point, how many]`. */
function segments(pairs) {
  const found = [];
  let open;
  for (const [pair, text] of [...pairs].sort(([left], [right]) => left - right)) {
    if (open === undefined || open.next !== pair) {
      open = { start: pair, texts: [] };
      found.push(open);
    }
    open.texts.push(text);
    open.next = following(pair);
  }
  return found.flatMap(({ start, texts }) => {
    const parts = [];
    let pair = start;
    let plain;
    for (let at = 0; at < texts.length; ) {
      const code = texts[at].codePointAt(0);
      let count = 1;
      while (at + count < texts.length && texts[at + count] === String.fromCodePoint(code + count)) count++;
      if (count < COUNTED_FROM || texts[at] !== String.fromCodePoint(code)) {
        if (plain === undefined) parts.push((plain = [pair, []]));
        plain[1].push(texts[at]);
        count = 1;
      } else {
        plain = undefined;
        parts.push([pair, code, count]);
      }
      for (let step = 0; step < count; step++) pair = following(pair);
      at += count;
    }
    return parts;
  });
}

/**
 * `[character, pair]` for each character of the basic plane whose pair is not the lowest that decodes to it. Characters with a
 * single byte are left out: they never get as far as the pairs.
 */
function encodedOtherwise(page, pairs) {
  const lowest = new Map();
  for (const [pair, text] of [...pairs].sort(([left], [right]) => left - right)) {
    if (!lowest.has(text)) lowest.set(text, pair);
  }
  const characters = [];
  for (let code = 0x80; code <= 0xffff; code++) {
    if (code < 0xd800 || code > 0xdfff) characters.push(String.fromCharCode(code));
  }
  const input = Buffer.from(characters.map((one) => `${one}\n`).join(''), 'utf16le');
  const bytes = iconv('UTF-16LE', iconvName(page), input);
  const found = [];
  let at = 0;
  for (const character of characters) {
    const start = at;
    while (bytes[at] !== newline || (at - start < 3 && bytes[start] === 0x0e)) at++;
    // the shift-in stands before or behind the newline
    if (bytes[start] === 0x0e) {
      const pair = (bytes[start + 1] << 8) | bytes[start + 2];
      if (lowest.get(character) !== pair) found.push([character, pair]);
    }
    at++;
    if (bytes[at] === 0x0f) at++;
  }
  return found;
}

const pairName = (pair) => `0x${pair.toString(16)}`;
/** A combining character belongs to the one before; what an editor would not show, or would join, is escaped. */
const written = (text) =>
  [...text]
    .map((c) => {
      if (c === "'" || c === '\\') return `\\${c}`;
      return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(c) && !/\p{Co}/u.test(c) ? c : `\\u{${c.codePointAt(0).toString(16)}}`;
    })
    .join('');

mkdirSync(new URL('../src/codepage/tables/', import.meta.url), { recursive: true });
for (const [page, smaller] of Object.entries(pairTables)) {
  const whole = decodedPairs(page);
  const sequences = [...whole].filter(([, text]) => [...text].length > 1);
  const singles = new Map([...whole].filter(([, text]) => [...text].length === 1));
  const lines = [
    `// Made by scripts/make-code-page-tables.mjs from the iconv of glibc ${glibcVersion}: run that instead of editing this.`,
    "import type { PairTable } from '../pair-table.js';",
    '',
    `export const ibm${page}Pairs: PairTable = {`,
    '  segments: [',
    ...segments(singles).map(([pair, text, count]) =>
      count === undefined
        ? `    [${pairName(pair)}, '${written(text.join(''))}'],`
        : `    [${pairName(pair)}, 0x${text.toString(16)}, ${count}],`,
    ),
    '  ],',
    `  sequences: [${sequences.map(([pair, text]) => `[${pairName(pair)}, '${written(text)}']`).join(', ')}],`,
    `  encodedOtherwise: [${encodedOtherwise(page, singles)
      .map(([text, pair]) => `['${written(text)}', ${pairName(pair)}]`)
      .join(', ')}],`,
    '  parts: {',
  ];
  const narrower = new Map();
  for (const part of smaller) {
    const pairs = decodedPairs(part);
    if (pairs.size === whole.size) continue;
    const ranges = [];
    for (const pair of [...pairs.keys()].sort((left, right) => left - right)) {
      const last = ranges.at(-1);
      if (last && following(last[1]) === pair) last[1] = pair;
      else ranges.push([pair, pair]);
    }
    const changes = [...pairs].filter(([pair, text]) => whole.get(pair) !== text);
    const body = `{ ranges: [${ranges.map((range) => `[${range.map(pairName).join(', ')}]`).join(', ')}], changes: [${changes
      .map(([pair, text]) => `[${pairName(pair)}, '${written(text)}']`)
      .join(', ')}] }`;
    narrower.set(part, body);
  }
  for (const [part, body] of narrower) lines.push(`    ${part}: ${body},`);
  lines.push('  },', '};', '');
  writeFileSync(new URL(`../src/codepage/tables/ibm${page}-pairs.ts`, import.meta.url), lines.join('\n'));
}
