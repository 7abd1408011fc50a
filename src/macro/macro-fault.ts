import { isInstruction } from './instruction.js';
import {
  LONGEST_DESCRIPTION,
  LONGEST_MACRO_NAME,
  LONGEST_STEP_NAME,
  LONGEST_STEP_TEXT,
  type MacroStep,
  MOST_MACROS,
  MOST_STEPS,
} from './macro-set.js';
import { stepNames } from './step-names.js';

const knownKeys: ReadonlySet<string> = new Set(stepNames);
/** Controls, line and paragraph separators, half of a surrogate pair. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Surrogate}]/u;
/** NUL, half of a surrogate pair. */
const UNTYPABLE = /[\0\p{Surrogate}]/u;
const LARGEST_KEY_CODE = 65_535;

/** What is wrong with a value, and where. It quotes no texts: macros hold passwords. */
export interface MacroFault {
  /** From `$`, the document. */
  readonly path: string;
  readonly problem: string;
}

/** Whether a step is one of the keys of macros, a well-formed instruction, a character or a text. */
export function isKnownStep(step: MacroStep): boolean {
  return typeof step !== 'string' || knownKeys.has(step) || isInstruction(step);
}

/**
 * The first thing that keeps a JSON document from being a macro file (specification 2.7).
 * @param isStored it was taken once: a name that no key has stops its macro when that is played, and hides no others
 */
export function macroFault(document: unknown, isStored = false): MacroFault | undefined {
  const path = '$';
  if (!isObject(document)) return unexpected(path, 'an object', document);
  const macros = member(document, 'macros');
  if (!Array.isArray(macros)) return unexpected(`${path}.macros`, 'an array', macros);
  if (macros.length > MOST_MACROS) {
    return { path: `${path}.macros`, problem: `expected at most ${MOST_MACROS} macros, found ${macros.length}` };
  }
  for (const [index, macro] of macros.entries()) {
    const fault = faultOfOne(`${path}.macros[${index}]`, macro, isStored);
    if (fault !== undefined) return fault;
  }
  const desc = member(document, 'desc');
  return (
    (desc === undefined ? undefined : textFault(`${path}.desc`, desc, LONGEST_DESCRIPTION, UNTYPABLE)) ??
    integerFault(`${path}.fmt`, member(document, 'fmt'))
  );
}

function faultOfOne(path: string, macro: unknown, isStored: boolean): MacroFault | undefined {
  if (!isObject(macro)) return unexpected(path, 'an object', macro);
  const early =
    nameFault(`${path}.name`, member(macro, 'name'), LONGEST_MACRO_NAME) ??
    integerFault(`${path}.rev`, member(macro, 'rev'));
  if (early !== undefined) return early;
  const def = member(macro, 'def');
  if (!Array.isArray(def)) return unexpected(`${path}.def`, 'an array', def);
  if (def.length > MOST_STEPS) {
    return { path: `${path}.def`, problem: `expected at most ${MOST_STEPS} steps, found ${def.length}` };
  }
  for (let index = 0; index < def.length; index += 1) {
    const fault = stepFault(def[index], isStored);
    if (fault !== undefined) return { path: `${path}.def[${index}]${fault.path}`, problem: fault.problem };
  }
  return mappingFault(`${path}.mapping`, member(macro, 'mapping'));
}

/** Its path begins at the step: a path for each of ten million would be too much. */
function stepFault(step: unknown, isStored: boolean): MacroFault | undefined {
  if (typeof step === 'string') return nameFault('', step, LONGEST_STEP_NAME) ?? stepNameFault(step, isStored);
  if (typeof step === 'number') {
    return isCharacterCode(step) ? undefined : { path: '', problem: `expected a character code, found ${step}` };
  }
  if (!isObject(step)) return unexpected('', 'a string, an integer or an object', step);
  const prompt = member(step, 'prompt');
  return (
    textFault('.txt', member(step, 'txt'), LONGEST_STEP_TEXT, UNTYPABLE) ??
    (prompt === undefined ? undefined : textFault('.prompt', prompt, LONGEST_STEP_TEXT, UNTYPABLE))
  );
}

function stepNameFault(step: string, isStored: boolean): MacroFault | undefined {
  if (isStored || isKnownStep(step)) return undefined;
  return { path: '', problem: 'expected the name of a key, or an instruction such as move(435)' };
}

function mappingFault(path: string, mapping: unknown): MacroFault | undefined {
  if (mapping === undefined) return undefined;
  if (!isObject(mapping)) return unexpected(path, 'an object', mapping);
  const key = member(mapping, 'key');
  if (key !== 'ctrl' && key !== 'alt') {
    const found = typeof key === 'string' ? 'another string' : kindOf(key);
    return { path: `${path}.key`, problem: `expected "ctrl" or "alt", found ${found}` };
  }
  const code = member(mapping, 'keycode');
  if (typeof code !== 'number') return unexpected(`${path}.keycode`, 'an integer', code);
  if (Number.isInteger(code) && code >= 0 && code <= LARGEST_KEY_CODE) return undefined;
  return {
    path: `${path}.keycode`,
    problem: `expected an integer between 0 and ${LARGEST_KEY_CODE}, found ${code}`,
  };
}

function nameFault(path: string, value: unknown, longest: number): MacroFault | undefined {
  if (value === '') return { path, problem: 'expected a string that is not empty' };
  return textFault(path, value, longest, UNPRINTABLE);
}

function textFault(path: string, value: unknown, longest: number, refused: RegExp): MacroFault | undefined {
  if (typeof value !== 'string') return unexpected(path, 'a string', value);
  if (value.length > longest) {
    return { path, problem: `expected at most ${longest} characters, found ${value.length}` };
  }
  const at = value.search(refused);
  if (at < 0) return undefined;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return { path, problem: `character ${at + 1} is U+${code}, which cannot be used here` };
}

function integerFault(path: string, value: unknown): MacroFault | undefined {
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

function unexpected(path: string, expected: string, found: unknown): MacroFault {
  return { path, problem: `expected ${expected}, found ${kindOf(found)}` };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
