import { isObject } from '../lib/documents/json-checks.js';
import type { WrittenAction } from './action-syntax.js';
import { findJsonFault, type JsonFault, JsonFaultFinder } from './json-fault.js';

/** An action, or the text of a line of actions. */
export type JsonAction = WrittenAction | string;

type JsonRead =
  | { readonly kind: 'actions'; readonly actions: readonly JsonAction[] }
  /** It is JSON, and says nothing that can be done. */
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'malformed'; readonly fault: string }
  /** More lines may make JSON of it. */
  | { readonly kind: 'incomplete'; readonly fault: string };

/** Actions as JSON that comes in lines; each line is looked at once, however many there are. */
export class JsonActionsReader {
  readonly #faults = new JsonFaultFinder();
  readonly #lines: string[] = [];
  #length = 0;
  /** What the lines so far are. */
  read: JsonRead = { kind: 'actions', actions: [] };

  /** Characters of all lines, and of what is between them. */
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

/** An action as an object `{"action", "args"}` or as the text of a line, or an array of these. */
export function readJsonActions(text: string): JsonRead {
  const malformed = findJsonFault(text);
  return malformed === undefined ? parsedActions(text) : readFault(malformed);
}

function readFault({ line, column, what, isIncomplete }: JsonFault): JsonRead {
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
