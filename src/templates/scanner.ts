import type { Delimiters } from './delimiters.js';
import { readTagHead, type TagFault, type TagHeadSource } from './tag-head.js';
import type { TagInvocation, TagShape } from './tag-invocation.js';

export type Token =
  | { readonly kind: 'text'; readonly text: string; readonly offset: number }
  | { readonly kind: 'tag'; readonly tag: TagInvocation }
  /** Start of a tag with text; the tokens of its text follow, then `endOfText`. */
  | { readonly kind: 'textTag'; readonly tag: TagInvocation }
  | { readonly kind: 'endOfText' }
  | TagFault;

interface ScannerOptions {
  readonly shapeOf: (name: string) => TagShape | undefined;
  readonly describeUnknown: (name: string) => string;
}

/**
 * Splits a template into text and tags, in one pass and linear time. Faults are tokens, too: scanning continues after the
 * next end delimiter. Outside a tag with text, an end delimiter is plain text.
 */
export function* scan(text: string, delimiters: Delimiters, options: ScannerOptions): Generator<Token> {
  const { start, end } = delimiters;
  const source: TagHeadSource = { text, end, ...options };
  const nextStart = finder(text, start);
  const nextEnd = finder(text, end);
  const holders: TagInvocation[] = [];
  let at = 0;
  while (at < text.length) {
    const startAt = nextStart(at);
    const endAt = holders.length > 0 ? nextEnd(at) : text.length;
    const stop = Math.min(startAt, endAt);
    if (stop > at) yield { kind: 'text', text: text.slice(at, stop), offset: at };
    if (stop === text.length) break;
    if (stop === endAt) {
      holders.pop();
      yield { kind: 'endOfText' };
      at = stop + end.length;
      continue;
    }
    const head = readTagHead(source, stop, stop + start.length);
    if (head.kind === 'fault') {
      yield head;
      at = Math.min(text.length, nextEnd(stop + start.length) + end.length);
    } else {
      yield { kind: head.holdsText ? 'textTag' : 'tag', tag: head.tag };
      if (head.holdsText) holders.push(head.tag);
      at = head.next;
    }
  }
  for (const { name, offset } of holders) yield { kind: 'fault', offset, message: `${name} is not closed by ${end}` };
}

/** `indexOf` for increasing positions that never searches the same range twice; returns the text length if nothing is found. */
function finder(text: string, wanted: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const next = text.indexOf(wanted, from);
      found = next < 0 ? text.length : next;
    }
    return found;
  };
}
