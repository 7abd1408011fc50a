import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { keyNames } from '../keyboard/key-names.js';
import type { Stroke } from '../screen/operation.js';

/** Characters and keys that one act types. */
export const MOST_STROKES = 2_000;

/** By every name that a key has, in lower case; further words are those of HAScript and ECL. */
const keys: ReadonlyMap<string, string> = new Map([
  ...keyNames.flatMap(([key, step]) => [key, step].map((name): [string, string] => [name.toLowerCase(), key])),
  ['eof', 'FieldEnd'],
  ['erinp', 'EraseInput'],
]);

/** The key of this name, whatever it is called and however it is cased: `Delete`, `Del`, `PF3`, `ENTER`. */
export function keyNamed(name: string): string | undefined {
  return keys.get(name.toLowerCase());
}

/**
 * Reads a text with keys in brackets: `[delete][tab]s[pf18]`. `[[` is a bracket. What comes from elsewhere and is only to be typed is
 * no such text: it is a stroke `{ text }` as it is.
 * @returns strokes, or what is wrong in words
 */
export function readStrokes(text: string): ReadOutcome<readonly Stroke[]> {
  const strokes: Stroke[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') strokes.push({ text: plain });
    plain = '';
  };
  for (const [part, word] of text.matchAll(/\[\[|\[([^[\]]*)\]|[^[]+|\[/g)) {
    if (part === '[[') plain += '[';
    else if (part === '[') return readFault('a bracket is not closed; [[ types one');
    else if (word === undefined) plain += part;
    else {
      const key = keyNamed(word);
      if (key === undefined) return readFault(`there is no key [${word}]; [[ types a bracket`);
      flush();
      strokes.push({ key });
    }
  }
  flush();
  return readAs(strokes);
}

export function countStrokes(strokes: readonly Stroke[]): number {
  return strokes.reduce((count, stroke) => count + ('text' in stroke ? stroke.text.length : 1), 0);
}
