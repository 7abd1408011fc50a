import { jsonPointer } from '../../services/json-pointer.js';

/** Found at once. */
const MOST_FOUND = 100;

/** Values and names of a body: each costs time, and other requests wait meanwhile. */
export const MOST_BODY_VALUES = 10_000;
/** Arrays and objects within one another. */
export const DEEPEST_BODY = 32;

interface Frame {
  /** Names so far; undefined: an array. */
  readonly names: Set<string> | undefined;
  /** Of an array: the elements so far. Of an object: the name that the next value stands under. */
  position: number;
  name: string;
  expectsName: boolean;
}

/**
 * Members of objects that stand there more than once: JSON.parse keeps the last of them without a word. Looks at each character
 * once, whatever the text is.
 * @param text to be given to JSON.parse afterwards: of what is no JSON nothing is said
 * @returns RFC 6901 pointers, each once; undefined: it has too many values, or too many within one another
 */
export function repeatedMembers(text: string): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  const frames: Frame[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const frame = frames.at(-1);
    switch (text[at]) {
      case '{':
      case '[':
        if (frames.length === DEEPEST_BODY) return undefined;
        frames.push({
          names: text[at] === '{' ? new Set() : undefined,
          position: 0,
          name: '',
          expectsName: text[at] === '{',
        });
        values += 1;
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        values += 1;
        if (frame !== undefined) {
          frame.position += 1;
          frame.expectsName = frame.names !== undefined;
        }
        break;
      case ':':
        values += 1;
        break;
      case '"': {
        const start = at;
        at = lastOfString(text, start);
        if (frame?.names === undefined || !frame.expectsName) break;
        frame.expectsName = false;
        frame.name = nameOf(text.slice(start, at + 1));
        if (frame.names.has(frame.name) && found.size < MOST_FOUND) found.add(pointerOf(frames));
        frame.names.add(frame.name);
      }
    }
    if (values > MOST_BODY_VALUES) return undefined;
  }
  return found;
}

/** Where the quotation mark stands that ends a string; the end of the text where none does. */
function lastOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function nameOf(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function pointerOf(frames: readonly Frame[]): string {
  return jsonPointer(frames.map(({ names, position, name }) => (names === undefined ? String(position) : name)));
}
