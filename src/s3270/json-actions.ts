import { isObject } from '../lib/documents/json-checks.js';
import type { WrittenAction } from './action-syntax.js';

export type JsonAction = WrittenAction | string;

type JsonRead =
  | { readonly kind: 'actions'; readonly actions: readonly JsonAction[] }
  /** Valid JSON, but not a valid action. */
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'malformed'; readonly fault: string }
  /** More lines may complete the JSON. */
  | { readonly kind: 'incomplete'; readonly fault: string };

/** Reads JSON actions from several lines, each of which is scanned only once. */
export class JsonActionsReader {
  readonly #faults = new JsonFaultFinder();
  readonly #lines: string[] = [];
  #length = 0;
  read: JsonRead = { kind: 'actions', actions: [] };

  get length(): number {
    return this.#length;
  }

  addLine(line: string): JsonRead {
    this.#length += line.length + (this.#lines.length === 0 ? 0 : 1);
    this.#lines.push(line);
    const malformed = this.#faults.addLine(line);
    this.read = malformed === undefined ? parsedActions(this.#lines.join('\n')) : readFault(malformed);
    return this.read;
  }
}

/** Reads an object `{"action", "args"}`, a line of actions, or an array of these. */
export function readJsonActions(text: string): JsonRead {
  const malformed = findJsonFault(text);
  return malformed === undefined ? parsedActions(text) : readFault(malformed);
}

function readFault({ line, column, what, isIncomplete }: ActionsFault): JsonRead {
  return {
    kind: isIncomplete ? 'incomplete' : 'malformed',
    fault: `JSON parse error: line ${line}, column ${column}: ${what}`,
  };
}

function parsedActions(text: string): JsonRead {
  const parsed: unknown = JSON.parse(text);
  const actions: JsonAction[] = [];
  for (const member of Array.isArray(parsed) ? parsed : [parsed]) {
    if (typeof member === 'string') {
      if (member.trim() !== '') actions.push(member);
      continue;
    }
    const read = readObjectAction(member);
    if (read.kind !== 'actions') return read;
    actions.push(...read.actions);
  }
  return { kind: 'actions', actions };
}

function readObjectAction(member: unknown): JsonRead {
  if (!isObject(member)) return fault('an action is a string or an object');
  const { action, args = [], ...others } = member;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return fault(`unknown member '${unknown}'`);
  if (typeof action !== 'string') return fault("the member 'action' is missing, or no string");
  const values = Array.isArray(args) ? args : [args];
  const isArgument = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (!values.every(isArgument)) return fault("'args' is an array of strings, numbers and booleans");
  return { kind: 'actions', actions: [{ name: action, parameters: values.map((value) => String(value ?? '')) }] };
}

function fault(what: string): JsonRead {
  return { kind: 'fault', fault: `Invalid JSON action: ${what}` };
}

interface ActionsFault {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly isIncomplete: boolean;
}

/** Limit of nesting; an action needs three levels. */
const DEEPEST_JSON = 16;
/** Limit of values and names, because other scripts wait while they are read. */
const MOST_JSON_VALUES = 10_000;

const blanks = /[ \t\r\n]*/y;
/** RFC 8259, section 7. */
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'separator' | 'end';

const isValue: ReadonlySet<Expected> = new Set(['value', 'value or ]', 'name', 'name or }']);

const words: Readonly<Record<Exclude<Expected, 'separator'>, string>> = {
  value: 'a value expected',
  'value or ]': 'a value or "]" expected',
  name: 'the name of a member expected',
  'name or }': 'the name of a member or "}" expected',
  ':': '":" expected',
  end: 'nothing more expected',
};

/**
 * Finds the first fault of a JSON text that arrives in lines. Each line is scanned only once, because no JSON token
 * extends over a line end. It stops at the limits of nesting and values.
 *
 * JSON.parse then reads the values in a second pass. It cannot replace this class: it reports the place of a fault only
 * in a message that differs between Node versions, and not if more text could complete the JSON.
 */
export class JsonFaultFinder {
  readonly #closers: string[] = [];
  #expected: Expected = 'value';
  #lines = 0;
  #values = 0;

  addLine(line: string): ActionsFault | undefined {
    this.#lines += 1;
    const closers = this.#closers;
    let at = 0;
    const fault = (what: string, isIncomplete: boolean) => ({ line: this.#lines, column: at + 1, what, isIncomplete });
    const past = (pattern: RegExp): boolean => {
      pattern.lastIndex = at;
      const found = pattern.test(line);
      if (found) at = pattern.lastIndex;
      return found;
    };
    const afterValue = (): Expected => (closers.length === 0 ? 'end' : 'separator');
    for (;;) {
      past(blanks);
      const character = line.charAt(at);
      if (character === '') break;
      const expected = this.#expected;
      const closer = closers.at(-1);
      if (isValue.has(expected) && character !== closer) {
        this.#values++;
        if (this.#values > MOST_JSON_VALUES) return fault(`more than ${MOST_JSON_VALUES} values and names`, false);
        const isTooDeep = closers.length === DEEPEST_JSON && (character === '{' || character === '[');
        if (isTooDeep) return fault(`more than ${DEEPEST_JSON} levels of arrays and objects`, false);
      }
      const mayEnd = expected === 'separator' || expected === 'value or ]' || expected === 'name or }';
      if (mayEnd && character === closer) {
        closers.pop();
        at += 1;
        this.#expected = afterValue();
      } else if (expected === 'separator' && character === ',') {
        at += 1;
        this.#expected = closer === '}' ? 'name' : 'value';
      } else if (expected === ':' && character === ':') {
        at += 1;
        this.#expected = 'value';
      } else if (expected === 'name' || expected === 'name or }') {
        if (!past(string)) return fault(expectedWords(expected, character, closer), false);
        this.#expected = ':';
      } else if (expected === 'value' || expected === 'value or ]') {
        if (character === '{' || character === '[') {
          at += 1;
          closers.push(character === '{' ? '}' : ']');
          this.#expected = character === '{' ? 'name or }' : 'value or ]';
        } else if (past(string) || past(scalar)) this.#expected = afterValue();
        else return fault(expectedWords(expected, character, closer), false);
      } else return fault(expectedWords(expected, character, closer), false);
    }
    return this.#expected === 'end' ? undefined : fault('unexpected end', true);
  }
}

export function findJsonFault(text: string): ActionsFault | undefined {
  const finder = new JsonFaultFinder();
  let found: ActionsFault | undefined;
  for (const line of text.split('\n')) {
    found = finder.addLine(line);
    if (found?.isIncomplete === false) break;
  }
  return found;
}

function expectedWords(expected: Expected, character: string, closer: string | undefined): string {
  if (character === '"' && expected !== 'separator' && expected !== ':' && expected !== 'end') return 'invalid string';
  return expected === 'separator' ? `"," or "${closer}" expected` : words[expected];
}
