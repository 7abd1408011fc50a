import { isForHost } from '../conversation/act.js';
import { countStrokes, keyNamed, MOST_STROKES, readStrokes } from '../conversation/typed-text.js';
import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';
import type { ScreenStroke } from './screen-port.js';

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
export function hostKeyNamed(text: string): string | undefined {
  const hex = HEXADECIMAL.exec(text)?.[1] ?? text;
  const key = byAid.get(hex.toUpperCase()) ?? keyNamed(text);
  return key !== undefined && isForHost(key) ? key : undefined;
}

export function goesToHost(stroke: ScreenStroke): boolean {
  return 'key' in stroke && isForHost(stroke.key);
}

/** Reads `[delete][tab]s[pf18]`: text, and keys in brackets; `[[` is a bracket. A key that goes to the host is the last. */
export function strokesOf(text: string): ReadOutcome<readonly ScreenStroke[]> {
  const read = readStrokes(text);
  if (read.kind === 'fault') return read;
  const strokes = read.value;
  if (countStrokes(strokes) > MOST_STROKES) return readFault(`it has more than ${MOST_STROKES} characters and keys`);
  const early = strokes.slice(0, -1).find(goesToHost);
  if (early !== undefined) return readFault(`what follows the key ${'key' in early ? early.key : ''} is never typed`);
  return readAs(strokes);
}
