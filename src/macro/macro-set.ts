import { ServiceError } from '../errors.js';
import { firstJsonFault } from './json-fault.js';

/**
 * The name of a key, or an instruction (`move(pos)`, `copy(r1,c1,r2,c2)`, `paste(pos)`, `paste(pos,rows,columns)`); the
 * code of a character; a text, or the question for one.
 */
export type MacroStep = string | number | { readonly txt: string; readonly prompt?: unknown };

export interface Macro {
  readonly name: string;
  readonly rev?: number;
  readonly def: readonly MacroStep[];
  readonly mapping?: { readonly key: 'ctrl' | 'alt'; readonly keycode: number };
}

/** A macro file (specification 2.7). Members that it does not know are there as they came. */
export interface MacroSet {
  readonly macros: readonly Macro[];
  readonly desc?: string;
  readonly fmt?: number;
}

export const MOST_MACRO_FILE_BYTES = 1024 * 1024;
export const MOST_MACROS = 1000;
/** Steps of one macro. */
export const MOST_STEPS = 10_000;
/** Lengths are in UTF-16 code units, as browsers count them. */
export const LONGEST_MACRO_NAME = 100;
export const LONGEST_STEP_NAME = 64;
/** More than the largest screen holds: 62 x 160 positions. */
export const LONGEST_STEP_TEXT = 16_384;
export const LONGEST_DESCRIPTION = 4096;

/** The names that steps are known by (spelled as clients spell them). */
const knownKeys: ReadonlySet<string> = new Set([
  ...['ENTER', 'CLEAR', 'ATTN', 'PA1', 'PA2', 'PA3', ...Array.from({ length: 24 }, (_, index) => `PF${index + 1}`)],
  ...['InsToogle', 'NewLine', 'Home', 'Tab', 'Backtab', 'Bksp', 'Left', 'Right', 'Down', 'Up', 'End'],
  ...['ErEof', 'Del', 'Reset', 'FieldMark', 'Dup'],
]);
const INSTRUCTION = /^(?:move\(\d{1,5}\)|copy\(\d{1,5}(?:,\d{1,5}){3}\)|paste\(\d{1,5}(?:,\d{1,5},\d{1,5})?\))$/;
/** Controls, line and paragraph separators, half of a surrogate pair. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Surrogate}]/u;
/** NUL, half of a surrogate pair. */
const UNTYPABLE = /[\0\p{Surrogate}]/u;
const LARGEST_KEY_CODE = 65_535;

/** What is wrong with a value, and where below it. */
interface Fault {
  readonly path: string;
  readonly problem: string;
}

/**
 * The macros of a file.
 * @throws ServiceError SVC_ERR_MACRO_SIZE, or SVC_ERR_MACRO_CONTENT with the path of the first fault. Neither quotes
 *   texts: macros hold passwords.
 */
export function readMacroSet(bytes: Uint8Array): MacroSet {
  if (bytes.length > MOST_MACRO_FILE_BYTES) {
    throw new ServiceError('SVC_ERR_MACRO_SIZE', {
      detail: `It has ${bytes.length} bytes; at most ${MOST_MACRO_FILE_BYTES} are taken.`,
    });
  }
  const text = decoded(bytes);
  const fault = text === undefined ? { path: '$', problem: 'expected text in UTF-8' } : firstJsonFault(text);
  if (text === undefined || fault !== undefined) throw unacceptable(fault);
  const document: unknown = JSON.parse(text);
  const wrong = setFault(document);
  if (wrong !== undefined) throw unacceptable({ path: `$${wrong.path}`, problem: wrong.problem });
  return document as MacroSet;
}

/** Whether a step is one of the key names of the reference client, a well-formed instruction, a character or a text. */
export function isKnownStep(step: MacroStep): boolean {
  return typeof step !== 'string' || knownKeys.has(step) || isInstruction(step);
}

/** `move`, `copy` and `paste` with as many numbers as they take. */
export function isInstruction(step: string): boolean {
  return INSTRUCTION.test(step);
}

function unacceptable(fault: Fault | undefined): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_CONTENT', { detail: `${fault?.path}: ${fault?.problem}` });
}

/** Undefined where the bytes are not UTF-8. A byte order mark is left out. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function setFault(value: unknown): Fault | undefined {
  if (!isObject(value)) return unexpected('', 'an object', value);
  const macros = member(value, 'macros');
  if (!Array.isArray(macros)) return unexpected('.macros', 'an array', macros);
  if (macros.length > MOST_MACROS) {
    return { path: '.macros', problem: `expected at most ${MOST_MACROS} macros, found ${macros.length}` };
  }
  for (const [index, macro] of macros.entries()) {
    const fault = macroFault(macro);
    if (fault !== undefined) return { path: `.macros[${index}]${fault.path}`, problem: fault.problem };
  }
  const desc = member(value, 'desc');
  return (
    (desc === undefined ? undefined : textFault('.desc', desc, LONGEST_DESCRIPTION, UNTYPABLE)) ??
    revisionFault('.fmt', member(value, 'fmt'))
  );
}

function macroFault(value: unknown): Fault | undefined {
  if (!isObject(value)) return unexpected('', 'an object', value);
  const early =
    nameFault('.name', member(value, 'name'), LONGEST_MACRO_NAME) ?? revisionFault('.rev', member(value, 'rev'));
  if (early !== undefined) return early;
  const def = member(value, 'def');
  if (!Array.isArray(def)) return unexpected('.def', 'an array', def);
  if (def.length > MOST_STEPS) {
    return { path: '.def', problem: `expected at most ${MOST_STEPS} steps, found ${def.length}` };
  }
  for (let index = 0; index < def.length; index += 1) {
    const fault = stepFault(def[index]);
    if (fault !== undefined) return { path: `.def[${index}]${fault.path}`, problem: fault.problem };
  }
  return mappingFault(member(value, 'mapping'));
}

function stepFault(step: unknown): Fault | undefined {
  if (typeof step === 'string') return nameFault('', step, LONGEST_STEP_NAME);
  if (typeof step === 'number') {
    return isCharacterCode(step) ? undefined : { path: '', problem: `expected a character code, found ${step}` };
  }
  if (!isObject(step)) return unexpected('', 'a string, an integer or an object', step);
  return textFault('.txt', member(step, 'txt'), LONGEST_STEP_TEXT, UNTYPABLE);
}

function mappingFault(mapping: unknown): Fault | undefined {
  if (mapping === undefined) return undefined;
  if (!isObject(mapping)) return unexpected('.mapping', 'an object', mapping);
  const key = member(mapping, 'key');
  if (key !== 'ctrl' && key !== 'alt') {
    const found = typeof key === 'string' ? 'another string' : kindOf(key);
    return { path: '.mapping.key', problem: `expected "ctrl" or "alt", found ${found}` };
  }
  const code = member(mapping, 'keycode');
  if (typeof code !== 'number') return unexpected('.mapping.keycode', 'an integer', code);
  if (Number.isInteger(code) && code >= 0 && code <= LARGEST_KEY_CODE) return undefined;
  return {
    path: '.mapping.keycode',
    problem: `expected an integer between 0 and ${LARGEST_KEY_CODE}, found ${code}`,
  };
}

function nameFault(path: string, value: unknown, longest: number): Fault | undefined {
  if (value === '') return { path, problem: 'expected a string that is not empty' };
  return textFault(path, value, longest, UNPRINTABLE);
}

function textFault(path: string, value: unknown, longest: number, refused: RegExp): Fault | undefined {
  if (typeof value !== 'string') return unexpected(path, 'a string', value);
  if (value.length > longest) {
    return { path, problem: `expected at most ${longest} characters, found ${value.length}` };
  }
  const at = value.search(refused);
  if (at < 0) return undefined;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return { path, problem: `character ${at + 1} is U+${code}, which cannot be used here` };
}

function revisionFault(path: string, value: unknown): Fault | undefined {
  if (value === undefined || Number.isSafeInteger(value)) return undefined;
  return typeof value === 'number'
    ? { path, problem: `expected an integer, found ${value}` }
    : unexpected(path, 'an integer', value);
}

function isCharacterCode(code: number): boolean {
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of its own alone: a member called `__proto__` has no say in others. */
function member(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

function unexpected(path: string, expected: string, found: unknown): Fault {
  return { path, problem: `expected ${expected}, found ${kindOf(found)}` };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
