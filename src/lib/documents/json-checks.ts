/** Path below the checked value, and the fault: `.txt: expected a string, found nothing`. */
export type Fault = string | undefined;

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Surrogate}]/u;
export const UNTYPABLE = /[\0\p{Surrogate}]/u;

export function listFault(
  path: string,
  list: unknown,
  most: number,
  what: string,
  faultOf: (item: unknown) => Fault,
): Fault {
  if (!Array.isArray(list)) return below(path, unexpected('an array', list));
  if (list.length > most) return `${path}: expected at most ${most} ${what}, found ${list.length}`;
  for (let index = 0; index < list.length; index += 1) {
    const fault = faultOf(list[index]);
    if (fault !== undefined) return `${path}[${index}]${fault}`;
  }
  return undefined;
}

export function nameFault(value: unknown, longest: number): Fault {
  return value === '' ? ': expected a string that is not empty' : textFault(value, longest, UNPRINTABLE);
}

export function textFault(value: unknown, longest: number, refused: RegExp): Fault {
  if (typeof value !== 'string') return unexpected('a string', value);
  if (value.length > longest) return `: expected at most ${longest} characters, found ${value.length}`;
  const at = value.search(refused);
  if (at < 0) return undefined;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `: character ${at + 1} is U+${code}, which cannot be used here`;
}

export function integerFault(value: unknown): Fault {
  if (value === undefined || Number.isSafeInteger(value)) return undefined;
  return typeof value === 'number' ? `: expected an integer, found ${value}` : unexpected('an integer', value);
}

export function rangeFault(value: unknown, least: number, most: number): Fault {
  if (typeof value !== 'number') return unexpected('an integer', value);
  const isWithin = Number.isInteger(value) && value >= least && value <= most;
  return isWithin ? undefined : `: expected an integer between ${least} and ${most}, found ${value}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads own properties only, so that `__proto__` cannot supply a member. */
export function member(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

export function below(path: string, fault: Fault): Fault {
  return fault === undefined ? undefined : path + fault;
}

export function unexpected(expected: string, found: unknown): string {
  return `: expected ${expected}, found ${kindOf(found)}`;
}

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
