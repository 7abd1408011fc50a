import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import { countStrokes, isForHost, keyNamed, MOST_STROKES, readStrokes } from '../tn3270/conversation/act.js';
import { attentionKeysByIdentifier } from '../tn3270/keyboard/attention-identifiers.js';
import type { ScreenStroke } from './screen-port.js';

/** Attention identifiers, as KEY= writes them in hexadecimal. */
const byIdentifier: ReadonlyMap<number, string> = new Map([...attentionKeysByIdentifier, [0xfd, 'Attn']]);

const HEXADECIMAL = /^(?:X'([0-9A-F]{2})'|([0-9A-F]{2}))$/i;

/** The key that goes to the host of `7D`, `X'7D'`, `ENTER` or `pf2`; undefined if it names none. */
export function hostKeyNamed(text: string): string | undefined {
  const [, quoted, bare] = HEXADECIMAL.exec(text) ?? [];
  const key = byIdentifier.get(Number.parseInt(quoted ?? bare ?? '', 16)) ?? keyNamed(text);
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
