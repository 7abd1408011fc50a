import type { Reason } from '../locale.js';

export interface JsonFault {
  /** Of the innermost invalid value: `.txt` below the checked value, or `$.macros[3].def`. */
  readonly path: string;
  readonly problem: Reason;
}

export type Fault = JsonFault | undefined;

type TypeName = Extract<Reason['code'], `type.${string}`>;
type ItemsName = Extract<Reason['code'], `items.${string}`>;

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Surrogate}]/u;
export const UNTYPABLE = /[\0\p{Surrogate}]/u;

export function listFault(
  path: string,
  list: unknown,
  most: number,
  items: ItemsName,
  faultOf: (item: unknown) => Fault,
): Fault {
  if (!Array.isArray(list)) return below(path, unexpected('type.array', list));
  if (list.length > most) return below(path, tooMany(items, list.length, most));
  for (let index = 0; index < list.length; index += 1) {
    const fault = below(`${path}[${index}]`, faultOf(list[index]));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function nameFault(value: unknown, longest: number): Fault {
  return value === '' ? faultHere('value.empty') : textFault(value, longest, UNPRINTABLE);
}

export function textFault(value: unknown, longest: number, refused: RegExp): Fault {
  if (typeof value !== 'string') return unexpected('type.string', value);
  if (value.length > longest) return tooMany('items.characters', value.length, longest);
  const at = value.search(refused);
  if (at < 0) return undefined;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return faultHere('value.character', { position: at + 1, character: `U+${code}` });
}

export function integerFault(value: unknown): Fault {
  if (value === undefined || Number.isSafeInteger(value)) return undefined;
  if (typeof value !== 'number') return unexpected('type.integer', value);
  return faultHere('value.unexpected', { expected: { code: 'type.integer' }, found: value });
}

export function rangeFault(value: unknown, least: number, most: number): Fault {
  if (typeof value !== 'number') return unexpected('type.integer', value);
  const isWithin = Number.isInteger(value) && value >= least && value <= most;
  return isWithin ? undefined : faultHere('value.range', { least, most, found: value });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads own properties only, so that `__proto__` cannot supply a member. */
export function member(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

export function below(path: string, fault: Fault): Fault {
  return fault === undefined ? undefined : { path: path + fault.path, problem: fault.problem };
}

/** Of the checked value itself. */
export function faultHere(code: Reason['code'], values?: Reason['values']): JsonFault {
  return { path: '', problem: { code, values } };
}

function tooMany(items: ItemsName, found: number, most: number): JsonFault {
  return faultHere('value.most', { most, items: { code: items }, found });
}

export function unexpected(expected: TypeName, found: unknown): JsonFault {
  return faultHere('value.unexpected', { expected: { code: expected }, found: kindOf(found) });
}

export function kindOf(value: unknown): Reason {
  return { code: kindNameOf(value) };
}

function kindNameOf(value: unknown): TypeName {
  if (value === undefined) return 'type.nothing';
  if (value === null) return 'type.null';
  if (Array.isArray(value)) return 'type.array';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? `type.${kind}` : 'type.object';
}
