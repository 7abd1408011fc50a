import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';
import { need, needCommand } from '../../support/need.js';

/** Byte of U+000A on every EBCDIC page here. */
const newline = 0x25;
const shiftOut = 0x0e;
const shiftIn = 0x0f;
/** The byte of A on every EBCDIC page here. */
const letterA = 0xc1;

let isOfGlibc: boolean | undefined;

/** Skips where `iconv` is missing or is another one than glibc's, whose tables differ. */
export function needGlibcIconv(test: Context): void {
  needCommand(test, 'iconv');
  isOfGlibc ??= /GLIBC|GNU libc/i.test(spawnSync('iconv', ['--version'], { encoding: 'utf8' }).stdout);
  need(test, isOfGlibc, 'iconv is not that of glibc');
}

/** What each byte 0 to 255 of a page is; undefined where glibc calls the byte illegal. Shifts are left out: undefined too. */
export function charactersByGlibc(page: string): Array<string | undefined> {
  const shifts = convert(page, 'UTF-16LE', Buffer.of(shiftOut, shiftIn, newline)).length === 2;
  const decoded = Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => !shifts || (byte !== shiftOut && byte !== shiftIn),
  );
  const bytes = Buffer.from(decoded.flatMap((byte) => [byte, newline]));
  const text = convert(page, 'UTF-16LE', bytes).toString('utf16le');
  let at = 0;
  const found = new Array<string | undefined>(256).fill(undefined);
  for (const byte of decoded) {
    const legal = byte === newline || text[at] !== '\n';
    if (legal) found[byte] = text[at];
    at += legal ? 2 : 1;
    if (text[at - 1] !== '\n') throw new Error(`glibc makes no single UTF-16 unit of ${page} 0x${byte.toString(16)}`);
  }
  return found;
}

const codePoints = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
/** In UTF-16, each on a line of its own. */
const linesOfCodePoints = Buffer.from(codePoints.map((code) => `${String.fromCharCode(code)}\n`).join(''), 'utf16le');

/** The byte of each code point U+0000 to U+FFFF; undefined where glibc knows none, and for surrogates. */
export function bytesByGlibc(page: string): Array<number | undefined> {
  const bytes = convert('UTF-16LE', page, linesOfCodePoints);
  const found = new Array<number | undefined>(0x10000).fill(undefined);
  let at = 0;
  for (const code of codePoints) {
    const legal = code === 0x0a || bytes[at] !== newline;
    if (legal) found[code] = bytes[at];
    at += legal ? 2 : 1;
    if (bytes[at - 1] !== newline) throw new Error(`glibc makes no single byte of U+${code.toString(16)} in ${page}`);
  }
  return found;
}

/** What each pair 0x4040 to 0xFEFE of a mixed page is, both bytes from 0x40 to 0xFE; those that glibc calls illegal are missing. */
export function pairsByGlibc(page: string): Map<number, string> {
  const ofPair = Array.from({ length: 0xfe - 0x40 + 1 }, (_, at) => 0x40 + at);
  const pairs = ofPair.flatMap((first) => ofPair.map((second) => (first << 8) | second));
  const framed = pairs.flatMap((pair) => [shiftOut, pair >> 8, pair & 0xff, shiftIn, newline]);
  const lines = convert(page, 'UTF-16LE', Buffer.from(framed)).toString('utf16le').split('\n');
  if (lines.length !== pairs.length + 1) throw new Error(`glibc makes ${lines.length} lines of the pairs of ${page}`);
  return new Map(pairs.map((pair, at) => [pair, lines[at] as string] as const).filter(([, text]) => text !== ''));
}

/** The bytes of each code point on a mixed page, shifts included, in hexadecimal; empty where glibc knows none. */
export function encodingsByGlibc(page: string, codePoints: readonly number[]): string[] {
  // the letter behind each code point shifts in, and is no part of a sequence
  const text = Uint32Array.from(codePoints.flatMap((codePoint) => [codePoint, 0x41]));
  const bytes = convert('UTF-32LE', page, Buffer.from(text.buffer));
  let at = 0;
  return codePoints.map((codePoint) => {
    const start = at;
    if (bytes[at] === shiftOut) at += 4;
    else if (bytes[at] !== letterA || codePoint === 0x41) at++;
    if (bytes[at++] !== letterA) throw new Error(`glibc makes no single character of U+${codePoint.toString(16)}`);
    return bytes.toString('hex', start, at - 1);
  });
}

/** What glibc decodes of some bytes; what is illegal or cut short is left out. */
export function textByGlibc(page: string, bytes: Uint8Array): string {
  return convert(page, 'UTF-16LE', Buffer.from([letterA, ...bytes]))
    .toString('utf16le')
    .slice(1);
}

/** All names that glibc's iconv takes. */
export function namesByGlibc(): string[] {
  const { stdout } = spawnSync('iconv', ['-l'], { encoding: 'utf8' });
  return stdout
    .split(/[\s,]+/)
    .map((name) => name.replace(/\/+$/, ''))
    .filter((name) => name !== '');
}

/** `-c` leaves out what has no mapping, so callers put a newline behind every item to see where it ended. */
function convert(from: string, to: string, input: Buffer): Buffer {
  const { stdout, stderr, error } = spawnSync('iconv', ['-c', '-f', from, '-t', to], { input, maxBuffer: 1 << 24 });
  if (error) throw error;
  if (stdout.length === 0) throw new Error(`iconv -f ${from} -t ${to}: ${stderr.toString()}`);
  return stdout;
}
