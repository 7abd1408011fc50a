import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import { type ElementNode, localNameOf } from './element-tree.js';

export interface TreeLimits {
  readonly depth: number;
  readonly elements: number;
}

export const ELEMENTS_AT_A_STRETCH = 1_000;
/** Element name of items whose array is not the value of a member: the document itself, or an array in an array. */
const ARRAY_ITEM_NAME = 'item';
const noAttributes: ReadonlyMap<string, string> = new Map();

interface OpenArray {
  readonly items: ElementNode[];
  readonly name: string;
}

/** If a member name is repeated, the last value counts, at the position of the first. */
interface OpenObject {
  readonly children: ElementNode[];
  readonly members: Map<string, ElementNode[]>;
}

/**
 * Reads JSON (RFC 8259) into a tree with an unnamed root. The members of an object become children in their order. An
 * array becomes one child per item, each with the name of the member. Scalars become text: numbers as written, null
 * empty. Undefined if the text is not valid JSON or exceeds a limit.
 */
export function* jsonReading(text: string, limits: TreeLimits): RestingWork<ElementNode | undefined> {
  const reader = new JsonReader(text, limits);
  for (let steps = 1; reader.step(); steps++) if (steps % ELEMENTS_AT_A_STRETCH === 0) yield;
  return reader.root;
}

const NOT_BLANK = /[^\t\n\r ]/g;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const literals: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', ''],
]);

class JsonReader {
  readonly #text: string;
  readonly #limits: TreeLimits;
  readonly #open: (OpenArray | OpenObject)[] = [];
  readonly #document: ElementNode[] = [];
  #at = 0;
  #elements = 0;

  constructor(text: string, limits: TreeLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  root: ElementNode | undefined;

  /** Reads one value, or the end of an array or object. @returns false at the end */
  step(): boolean {
    const inside = this.#open.at(-1);
    if (inside === undefined) return this.#readDocument();
    return 'members' in inside ? this.#readMember(inside) : this.#readItem(inside);
  }

  #readDocument(): boolean {
    const [root] = this.#document;
    const next = this.#next();
    if (root === undefined) return this.#readValue(next, this.#document, '', false);
    if (next === '') this.root = root;
    return false;
  }

  #readItem({ items, name }: OpenArray): boolean {
    const isFirst = this.#isBehind('[');
    const next = this.#next();
    if (next === ']') return this.#close();
    if (isFirst) return this.#readValue(next, items, name, false);
    return this.#take(',') && this.#readValue(this.#next(), items, name, false);
  }

  #readMember(object: OpenObject): boolean {
    const isFirst = this.#isBehind('{');
    if (this.#next() === '}') {
      for (const elements of object.members.values()) for (const each of elements) object.children.push(each);
      return this.#close();
    }
    if (!isFirst && !this.#take(',')) return false;
    const name = this.#next() === '"' ? this.#readString() : undefined;
    if (name === undefined || !this.#take(':')) return false;
    const elements: ElementNode[] = [];
    object.members.set(name, elements);
    return this.#readValue(this.#next(), elements, name, true);
  }

  /** @param isMember true for the value of an object member: an array is then replaced by its items */
  #readValue(first: string, elements: ElementNode[], name: string, isMember: boolean): boolean {
    if (first === '[' || first === '{') return this.#begin(first, elements, name, isMember);
    const text = first === '"' ? this.#readString() : (this.#readLiteral() ?? this.#readNumber());
    return text !== undefined && this.#add(elements, name, [], text);
  }

  #begin(bracket: '[' | '{', elements: ElementNode[], name: string, isMember: boolean): boolean {
    if (this.#open.length >= this.#limits.depth) return false;
    this.#at++;
    if (bracket === '[' && isMember) {
      this.#open.push({ items: elements, name });
      return true;
    }
    const children: ElementNode[] = [];
    this.#open.push(bracket === '[' ? { items: children, name: ARRAY_ITEM_NAME } : { children, members: new Map() });
    return this.#add(elements, name, children, '');
  }

  #close(): true {
    this.#at++;
    this.#open.pop();
    return true;
  }

  #add(elements: ElementNode[], name: string, children: readonly ElementNode[], text: string): boolean {
    elements.push({ name, localName: localNameOf(name), attributes: noAttributes, children, text });
    return ++this.#elements <= this.#limits.elements;
  }

  #next(): string {
    NOT_BLANK.lastIndex = this.#at;
    this.#at = NOT_BLANK.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.charAt(this.#at);
  }

  #take(token: string): boolean {
    if (this.#next() !== token) return false;
    this.#at++;
    return true;
  }

  #isBehind(token: string): boolean {
    return this.#text.charAt(this.#at - 1) === token;
  }

  #readString(): string | undefined {
    const start = this.#at;
    this.#at = endOfString(this.#text, start + 1);
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      return undefined;
    }
  }

  #readNumber(): string | undefined {
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    this.#at += number?.length ?? 0;
    return number;
  }

  #readLiteral(): string | undefined {
    for (const [word, text] of literals) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return text;
    }
    return undefined;
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\\') at++;
  }
  return text.length;
}
