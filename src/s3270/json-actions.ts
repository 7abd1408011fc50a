import { isObject } from '../json-checks.js';
import { readAction, type WrittenAction } from './action-syntax.js';

type JsonRead =
  | { readonly kind: 'actions'; readonly actions: readonly WrittenAction[] }
  /** It is JSON, and says nothing that can be done. */
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'malformed'; readonly fault: string };

/** Whether more lines may make JSON of it. */
export function isIncompleteJson(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return /Unexpected end/.test(message) || Number(position) >= text.length;
  }
}

/** An action as an object `{"action", "args"}` or as the text of a line, or an array of these. */
export function readJsonActions(text: string): JsonRead {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { kind: 'malformed', fault: `JSON parse error: ${(error as Error).message.replaceAll('\n', ' ')}` };
  }
  const actions: WrittenAction[] = [];
  for (const member of Array.isArray(parsed) ? parsed : [parsed]) {
    const read = typeof member === 'string' ? readTextActions(member) : readObjectAction(member);
    if (read.kind !== 'actions') return read;
    actions.push(...read.actions);
  }
  return { kind: 'actions', actions };
}

function readTextActions(text: string): JsonRead {
  const actions: WrittenAction[] = [];
  for (let rest = text; rest.trim() !== ''; ) {
    const read = readAction(rest);
    if (read.kind === 'fault') return read;
    actions.push(read.value);
    ({ rest } = read.value);
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
