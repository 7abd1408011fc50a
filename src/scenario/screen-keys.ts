import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';
import type { ScreenStroke } from './screen-port.js';

const byMnemonic: ReadonlyMap<string, string> = new Map([
  ['enter', 'Enter'],
  ['clear', 'Clear'],
  ['attn', 'Attn'],
  ['sysreq', 'SysReq'],
  ...['1', '2', '3'].map((number) => [`pa${number}`, `PA${number}`] as const),
  ...Array.from({ length: 24 }, (_, at) => [`pf${at + 1}`, `PF${at + 1}`] as const),
]);

/** Keys that work on the screen by themselves, by the names that they have in SEND=. */
const localByMnemonic: ReadonlyMap<string, string> = new Map([
  ['backspace', 'BackSpace'],
  ['backtab', 'BackTab'],
  ['delete', 'Delete'],
  ['down', 'Down'],
  ['dup', 'Dup'],
  ['eraseeof', 'EraseEOF'],
  ['eraseinput', 'EraseInput'],
  ['fieldend', 'FieldEnd'],
  ['fieldmark', 'FieldMark'],
  ['home', 'Home'],
  ['insert', 'Insert'],
  ['left', 'Left'],
  ['newline', 'Newline'],
  ['reset', 'Reset'],
  ['right', 'Right'],
  ['tab', 'Tab'],
  ['up', 'Up'],
]);

/** Attention identifiers (GA23-0059, "Attention identification"), as KEY= writes them in hexadecimal. */
const byAid: ReadonlyMap<string, string> = new Map([
  ['7D', 'Enter'],
  ['6D', 'Clear'],
  ['6C', 'PA1'],
  ['6E', 'PA2'],
  ['6B', 'PA3'],
  ['FD', 'Attn'],
  ...Array.from({ length: 9 }, (_, at) => [`F${at + 1}`, `PF${at + 1}`] as const),
  ...['A', 'B', 'C'].map((digit, at) => [`7${digit}`, `PF${at + 10}`] as const),
  ...Array.from({ length: 9 }, (_, at) => [`C${at + 1}`, `PF${at + 13}`] as const),
  ...['A', 'B', 'C'].map((digit, at) => [`4${digit}`, `PF${at + 22}`] as const),
]);

const HEXADECIMAL = /^X'([0-9A-F]{2})'$/i;

/** The key that goes to the host of `7D`, `X'7D'`, `ENTER` or `pf2`; undefined where it names none. */
export function keyNamed(text: string): string | undefined {
  const hex = HEXADECIMAL.exec(text)?.[1] ?? text;
  return byAid.get(hex.toUpperCase()) ?? byMnemonic.get(text.toLowerCase());
}

export function goesToHost(stroke: ScreenStroke): boolean {
  return 'key' in stroke && [...byMnemonic.values()].includes(stroke.key);
}

const MOST_STROKES = 1_000;
const pieces = /\[\[|\[([^[\]]{0,16})\]|[^[]+|\[/g;

/**
 * Reads `[delete][tab]s[pf18]`: text, and keys in brackets; `[[` is a bracket. A key that goes to the host is the last.
 */
export function readStrokes(text: string): ReadOutcome<readonly ScreenStroke[]> {
  const strokes: ScreenStroke[] = [];
  for (const [piece, mnemonic] of text.matchAll(pieces)) {
    const last = strokes.at(-1);
    if (last !== undefined && goesToHost(last))
      return readFault(`what follows the key ${'key' in last ? last.key : ''} is never typed`);
    if (strokes.length >= MOST_STROKES) return readFault(`it has more than ${MOST_STROKES} parts`);
    if (piece === '[') return readFault('a [ is not closed: [[ is a bracket');
    if (mnemonic === undefined) {
      strokes.push({ text: piece === '[[' ? '[' : piece });
      continue;
    }
    const key = byMnemonic.get(mnemonic.toLowerCase()) ?? localByMnemonic.get(mnemonic.toLowerCase());
    if (key === undefined) return readFault(`[${mnemonic}] is no key: [[ is a bracket`);
    strokes.push({ key });
  }
  return readAs(strokes);
}
