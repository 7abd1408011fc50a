// Writes src/codepage/code-page-tables.ts from what glibc's iconv says about every EBCDIC page.
// Run by hand (`node scripts/make-code-page-tables.mjs`) where glibc's iconv is installed; the result is committed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const completePages = [37, 273, 277, 278, 280, 284, 285, 297, 424, 500, 871, 875, 1026, 1047];
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
  const input = Buffer.from(Array.from({ length: 256 }, (_, byte) => [byte, newline]).flat());
  const text = iconv(iconvName(page), 'UTF-16LE', input).toString('utf16le');
  const characters = [];
  let at = 0;
  for (let byte = 0; byte < 256; byte++) {
    const present = byte === newline || text[at] !== '\n';
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
  'function complete(rows: readonly string[]): CodePageTable {',
  "  return { characters: controls + rows.join(''), encodedOnly: [] };",
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
for (const page of completePages) {
  const characters = decodedBytes(page);
  if (characters.slice(0, 0x40).join('') !== controls.join('')) throw new Error(`${page} has other controls`);
  if (encodedOnly(page, characters).length > 0) throw new Error(`${page} has one-way mappings`);
  tables.set(page, characters);
  output.push(
    `const ibm${String(page).padStart(3, '0')} = complete([`,
    ...rows(characters.slice(0x40)).map((row) => row.slice(2)),
    ']);',
    '',
  );
}
output.push('/** By code page number. */', 'export const codePageTables: Readonly<Record<number, CodePageTable>> = {');
for (const page of completePages) output.push(`  ${page}: ibm${String(page).padStart(3, '0')},`);
for (const [page, base] of Object.entries(derivedPages)) {
  const characters = decodedBytes(page);
  const changes = characters.flatMap((character, byte) =>
    character === tables.get(base)[byte] ? [] : [`[${hexadecimal(byte)}, ${literal([character])}]`],
  );
  const extra = encodedOnly(page, characters).map(
    ([character, byte]) => `[${literal([character])}, ${hexadecimal(byte)}]`,
  );
  output.push(
    `  ${page}: derived(ibm${String(base).padStart(3, '0')}, [${changes.join(', ')}], [${extra.join(', ')}]),`,
  );
}
output.push('};', '');
writeFileSync(new URL('../src/codepage/code-page-tables.ts', import.meta.url), output.join('\n'));
