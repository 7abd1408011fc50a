import { isForHost } from '../conversation/act.js';
import { countStrokes, keyNamed, MOST_STROKES, readStrokes } from '../conversation/typed-text.js';
import { attentionIdentifiers } from '../keyboard/attention-identifiers.js';
import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';
import type { ScreenStroke } from './screen-port.js';

/** Attention identifiers, as KEY= writes them in hexadecimal. */
const byAid: ReadonlyMap<string, string> = new Map([
  ...[...attentionIdentifiers].map(([key, aid]) => [aid.toString(16).toUpperCase(), key] as const),
  ['FD', 'Attn'],
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
