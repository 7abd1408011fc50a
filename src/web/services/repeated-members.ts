import { jsonPointer } from '../../services/json-pointer.js';

/** Found at once. */
const MOST_FOUND = 100;

interface Frame {
  readonly pointer: string;
  /** Names so far; undefined: an array. */
  readonly names: Set<string> | undefined;
  /** Of an array: the elements so far. Of an object: the name that the next value stands under. */
  position: number;
  name: string;
  expectsName: boolean;
}

/**
 * Members of objects that stand there more than once: JSON.parse keeps the last of them without a word.
 * @param text JSON that JSON.parse has accepted
 * @returns RFC 6901 pointers, each once
 */
export function repeatedMembers(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const frames: Frame[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  for (const [token] of text.matchAll(tokens)) {
    const frame = frames.at(-1);
    switch (token) {
      case '{':
      case '[':
        frames.push({
          pointer: frame === undefined ? '' : pointerIn(frame),
          names: token === '{' ? new Set() : undefined,
          position: 0,
          name: '',
          expectsName: token === '{',
        });
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        if (frame !== undefined) {
          frame.position += 1;
          frame.expectsName = frame.names !== undefined;
        }
        break;
      case ':':
        break;
      default:
        if (frame?.names === undefined || !frame.expectsName) break;
        frame.expectsName = false;
        frame.name = String(JSON.parse(token));
        if (frame.names.has(frame.name)) found.add(pointerIn(frame));
        frame.names.add(frame.name);
    }
    if (found.size >= MOST_FOUND) break;
  }
  return found;
}

function pointerIn({ pointer, names, position, name }: Frame): string {
  return pointer + jsonPointer([names === undefined ? String(position) : name]);
}
