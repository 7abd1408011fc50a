import { attentionIdentifiers } from '../keyboard/attention-identifiers.js';
import { attentionKeys } from '../keyboard/attention-keys.js';
import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';
import type { ScreenStroke } from './screen-port.js';

/** Keys that go to the host, by the names that they have in SEND= and KEY=. */
const byMnemonic: ReadonlyMap<string, string> = new Map(
  [...attentionKeys, 'Attn', 'SysReq'].map((key) => [key.toLowerCase(), key]),
);

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

/** Attention identifiers, as KEY= writes them in hexadecimal. */
const byAid: ReadonlyMap<string, string> = new Map([
  ...[...attentionIdentifiers].map(([key, aid]) => [aid.toString(16).toUpperCase(), key] as const),
  ['FD', 'Attn'],
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
