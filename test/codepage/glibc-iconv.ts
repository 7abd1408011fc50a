import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';
import { need, needCommand } from '../support/need.js';

/** Byte of U+000A on every EBCDIC page here. */
const newline = 0x25;

/** Skips where `iconv` is missing or is another one than glibc's, whose tables differ. */
export function needGlibcIconv(test: Context): void {
  needCommand(test, 'iconv');
  const { stdout } = spawnSync('iconv', ['--version'], { encoding: 'utf8' });
  need(test, /GLIBC|GNU libc/i.test(stdout), 'iconv is not that of glibc');
}

/** What each byte 0 to 255 of a page is; undefined where glibc calls the byte illegal. */
export function charactersByGlibc(page: string): Array<string | undefined> {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => [byte, newline]).flat());
  const text = convert(page, 'UTF-16LE', bytes).toString('utf16le');
  let at = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const legal = byte === newline || text[at] !== '\n';
    const character = legal ? text[at] : undefined;
    at += legal ? 2 : 1;
    if (text[at - 1] !== '\n') throw new Error(`glibc makes no single UTF-16 unit of ${page} 0x${byte.toString(16)}`);
    return character;
  });
}

/** The byte of each code point U+0000 to U+FFFF; undefined where glibc knows none, and for surrogates. */
export function bytesByGlibc(page: string): Array<number | undefined> {
  const codePoints = Array.from({ length: 0x10000 }, (_, code) => code).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );
  const text = codePoints.map((code) => `${String.fromCharCode(code)}\n`).join('');
  const bytes = convert('UTF-16LE', page, Buffer.from(text, 'utf16le'));
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
  const { stdout, stderr, error } = spawnSync('iconv', ['-c', '-f', from, '-t', to], { input, maxBuffer: 1 << 20 });
  if (error) throw error;
  if (stdout.length === 0) throw new Error(`iconv -f ${from} -t ${to}: ${stderr.toString()}`);
  return stdout;
}
