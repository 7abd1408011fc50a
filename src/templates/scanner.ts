import type { Delimiters } from './delimiters.js';
import { templateLimits } from './template-limits.js';

export type Token =
  | { readonly kind: 'text'; readonly text: string; readonly offset: number }
  | { readonly kind: 'tag'; readonly tag: TagInvocation }
  /** Start of a tag with text; the tokens of the text and `endOfText` follow. */
  | { readonly kind: 'textTag'; readonly tag: TagInvocation }
  | { readonly kind: 'endOfText' }
  | TagFault;

interface ScannerOptions {
  readonly shapeOf: (name: string) => TagShape | undefined;
  readonly describeUnknown: (name: string) => string;
}

/**
 * Splits a template into text and tags, in one pass and linear time. Errors are tokens, too: scanning continues after
 * the next end delimiter. Outside a tag with text, an end delimiter is plain text.
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

/**
 * `indexOf` for increasing positions that never searches a range twice; returns the text length if nothing is found.
 */
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

interface TagHead {
  readonly kind: 'head';
  readonly tag: TagInvocation;
  readonly holdsText: boolean;
  /** Offset after the end delimiter, or the start of the text of a tag with text. */
  readonly next: number;
}

interface TagFault {
  readonly kind: 'fault';
  readonly offset: number;
  readonly message: string;
}

interface TagHeadSource {
  readonly text: string;
  readonly end: string;
  readonly shapeOf: (name: string) => TagShape | undefined;
  readonly describeUnknown: (name: string) => string;
}

type Part<T> = { readonly kind: 'part'; readonly value: T; readonly next: number } | TagFault;

/**
 * Reads a tag after its start delimiter: `NAME`, `NAME "string"`, `NAME (p1,p2)`, `NAME (p1,p2) "string"`, the
 * tolerated `NAME = "string"`, and these forms with text (reference 2.0). One blank or line break before the text is a
 * separator. A string ends on its first line; quotes in it are doubled.
 */
function readTagHead(source: TagHeadSource, offset: number, from: number): TagHead | TagFault {
  const { text, end } = source;
  let at = skipBlanks(source, from);
  const nameAt = at;
  while (isNameCharacter(text.charCodeAt(at)) && !text.startsWith(end, at)) at += 1;
  if (at === nameAt) return fault(offset, 'a tag begins with its name');
  const name = text.slice(nameAt, at);
  const shape = source.shapeOf(name);
  if (shape === undefined) return fault(offset, source.describeUnknown(name));
  const strings: string[] = [];
  let parameters: readonly string[] | undefined;
  let next = skipBlanks(source, at);
  if (!isEnd(source, next) && text[next] === '=') next = skipBlanks(source, next + 1);
  if (!isEnd(source, next) && text[next] === '(' && !(shape.holdsText && shape.parameters === 'none')) {
    const list = readList(source, next, name);
    if (list.kind === 'fault') return list;
    parameters = list.value;
    at = list.next;
    next = skipBlanks(source, at);
  }
  const mostStrings = shape.holdsText ? (shape.string === 'none' ? 0 : 1) : Number.POSITIVE_INFINITY;
  while (!isEnd(source, next) && text[next] === '"' && strings.length < mostStrings) {
    const string = readString(source, next, name);
    if (string.kind === 'fault') return string;
    strings.push(string.value);
    at = string.next;
    next = skipBlanks(source, at);
  }
  const tag: TagInvocation = { name, parameters, strings, offset };
  if (shape.holdsText) return { kind: 'head', tag, holdsText: true, next: at + separatorLength(source, at) };
  if (isEnd(source, next)) return { kind: 'head', tag, holdsText: false, next: next + end.length };
  const expected = shape.string === 'none' || strings.length > 0 ? end : `a string in double quotes or ${end}`;
  return fault(offset, `${name} is malformed or not closed: ${expected} is expected after it`);
}

function readList(source: TagHeadSource, from: number, name: string): Part<readonly string[]> {
  const { text } = source;
  const bound = Math.min(text.length, from + 1 + templateLimits.stringLength + 1);
  let at = from + 1;
  while (at < bound && text[at] !== ')' && text[at] !== '"' && !isEnd(source, at)) at += 1;
  if (text[at] !== ')' || at >= bound) {
    const isLong = at >= bound && bound < text.length;
    return fault(
      from,
      isLong
        ? `the list of ${name} is longer than ${templateLimits.stringLength} characters`
        : `the list of ${name} is not closed by )`,
    );
  }
  const items = text.slice(from + 1, at).split(',');
  return { kind: 'part', value: items.map((item) => item.trim()), next: at + 1 };
}

function readString(source: TagHeadSource, from: number, name: string): Part<string> {
  const { text } = source;
  let at = from + 1;
  for (; at < text.length && text[at] !== '\n' && text[at] !== '\r'; at += 1) {
    if (at - from - 1 > templateLimits.stringLength) {
      return fault(from, `the string of ${name} is longer than ${templateLimits.stringLength} characters`);
    }
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"' || isEnd(source, at + 1)) {
      return { kind: 'part', value: text.slice(from + 1, at).replaceAll('""', '"'), next: at + 1 };
    }
    at += 1;
  }
  return fault(from, `the string of ${name} is not closed on its line`);
}

function separatorLength({ text, end }: TagHeadSource, at: number): number {
  if (text.startsWith(end, at)) return 0;
  if (text.startsWith('\r\n', at)) return 2;
  return isBlank(text.charCodeAt(at)) ? 1 : 0;
}

function skipBlanks(source: TagHeadSource, from: number): number {
  let at = from;
  while (isBlank(source.text.charCodeAt(at)) && !isEnd(source, at)) at += 1;
  return at;
}

function isEnd({ text, end }: TagHeadSource, at: number): boolean {
  return text.startsWith(end, at);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** A-Z a-z 0-9 - _ (lower case so that a misspelled name is reported as a whole). */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f
  );
}

function fault(offset: number, message: string): TagFault {
  return { kind: 'fault', offset, message };
}

type Presence = 'none' | 'optional' | 'required';

/** Allowed parts of a tag: `{{{NAME (p1,p2) "string" text}}}`. */
export interface TagShape {
  readonly parameters: Presence;
  readonly string: Presence;
  /** Default 1. */
  readonly mostStrings?: number;
  readonly holdsText?: true;
}

export interface TagInvocation {
  readonly name: string;
  /** Undefined without parentheses; surrounding blanks are removed. */
  readonly parameters: readonly string[] | undefined;
  /** Without quotes; doubled quotes are single. */
  readonly strings: readonly string[];
  /** Offset of the start delimiter in UTF-16 units. */
  readonly offset: number;
}
