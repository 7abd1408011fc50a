import type { ElementNode } from '../../document/element-tree.js';
import { localNameOf } from './element-path.js';

export interface TreeLimits {
  readonly depth: number;
  readonly elements: number;
}

/** Name of the elements of an array that is no member: the document itself, or inside another array. */
const ARRAY_ITEM_NAME = 'item';

const noAttributes: ReadonlyMap<string, string> = new Map();

/** A value after `JSON.parse` of a text without numbers. */
type JsonValue = string | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue };

/**
 * Reads JSON (RFC 8259) into a tree whose root has no name. An object's members are children, in their order (but for
 * names that are array indexes, which JSON.parse puts first); an array is one child per item, all of the member's name; a
 * scalar is text, numbers as they are spelled, null empty. Of a member given twice the last counts.
 * Undefined if the text is no JSON or is past a limit.
 */
export function readJson(text: string, limits: TreeLimits): ElementNode | undefined {
  const quoted = withNumbersQuoted(text, limits.depth);
  const value = quoted === undefined ? undefined : parse(text, quoted);
  if (value === undefined) return undefined;
  const tree = new TreeMaker(limits.elements);
  const root = tree.element('', value);
  return tree.isPastLimit ? undefined : root;
}

/** The text itself is parsed too: what is valid only with its numbers quoted (`{1:2}`) is no JSON. */
function parse(text: string, quoted: string): JsonValue | undefined {
  try {
    JSON.parse(text);
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

/**
 * The text with its numbers as strings, so that they keep their spelling (`0.10`, 20 digits); undefined where lists and
 * objects are nested deeper than `depth`, which is found before JSON.parse goes into them.
 */
function withNumbersQuoted(text: string, depth: number): string | undefined {
  const token = /["[\]{}]|-?\d[-+.\deE]*/g;
  let quoted = '';
  let copied = 0;
  let open = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '"') {
      token.lastIndex = endOfString(text, match.index + 1);
    } else if (found === '[' || found === '{') {
      if (++open > depth) return undefined;
    } else if (found === ']' || found === '}') {
      open--;
    } else {
      quoted += `${text.slice(copied, match.index)}"${found}"`;
      copied = token.lastIndex;
    }
  }
  return quoted + text.slice(copied);
}

/** Behind the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\\') at++;
  }
  return text.length;
}

class TreeMaker {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isPastLimit(): boolean {
    return this.#count > this.#limit;
  }

  /** An array gives one element that holds its items. */
  element(name: string, value: JsonValue): ElementNode {
    this.#count++;
    const text = value === null || typeof value === 'object' ? '' : `${value}`;
    const children = value === null || typeof value !== 'object' || this.isPastLimit ? [] : this.#children(value);
    return { name, localName: localNameOf(name), attributes: noAttributes, children, text };
  }

  #children(value: readonly JsonValue[] | { readonly [member: string]: JsonValue }): ElementNode[] {
    if (isArray(value)) return value.map((item) => this.element(ARRAY_ITEM_NAME, item));
    return Object.entries(value).flatMap(([name, member]) =>
      isArray(member) ? member.map((item) => this.element(name, item)) : [this.element(name, member)],
    );
  }
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
