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
import { LARGEST_ROW_OR_COLUMN, LONGEST_SCREEN_TEXT, MOST_SCREEN_TEXTS } from './screen-step.js';
import { stepNames } from './step-names.js';

const knownKeys: ReadonlySet<string> = new Set(stepNames);
/** Controls, line and paragraph separators, half of a surrogate pair. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Surrogate}]/u;
/** NUL, half of a surrogate pair. */
const UNTYPABLE = /[\0\p{Surrogate}]/u;
const LARGEST_KEY_CODE = 65_535;

/** Where a value is wrong below the place that is looked at, and how: `.txt: expected a string, found nothing`. */
type Fault = string | undefined;

/** Whether a step is one of the keys of macros, a well-formed instruction, a character or a text. */
export function isKnownStep(step: MacroStep): boolean {
  return typeof step !== 'string' || knownKeys.has(step) || isInstruction(step);
}

/**
 * The first thing that keeps a JSON document from being a macro file (specification 2.7), behind its JSON path. It quotes no
 * texts: macros hold passwords.
 * @param isStored it was taken once: a name that no key has stops its macro when that is played, and hides no others
 */
export function macroFault(document: unknown, isStored = false): string | undefined {
  return below('$', setFault(document, isStored));
}

function setFault(value: unknown, isStored: boolean): Fault {
  if (!isObject(value)) return unexpected('an object', value);
  const desc = member(value, 'desc');
  return (
    listFault('.macros', member(value, 'macros'), MOST_MACROS, 'macros', (macro) => faultOfOne(macro, isStored)) ??
    (desc === undefined ? undefined : below('.desc', textFault(desc, LONGEST_DESCRIPTION, UNTYPABLE))) ??
    below('.fmt', integerFault(member(value, 'fmt')))
  );
}

function faultOfOne(value: unknown, isStored: boolean): Fault {
  if (!isObject(value)) return unexpected('an object', value);
  const mapping = member(value, 'mapping');
  return (
    below('.name', nameFault(member(value, 'name'), LONGEST_MACRO_NAME)) ??
    below('.rev', integerFault(member(value, 'rev'))) ??
    listFault('.def', member(value, 'def'), MOST_STEPS, 'steps', (step) => stepFault(step, isStored)) ??
    (mapping === undefined ? undefined : below('.mapping', mappingFault(mapping)))
  );
}

/** @param isStored see `macroFault` */
export function stepFault(step: unknown, isStored: boolean): Fault {
  if (typeof step === 'string') {
    const isTaken = isStored || isKnownStep(step);
    const fault = ': expected the name of a key, or an instruction such as move(435)';
    return nameFault(step, LONGEST_STEP_NAME) ?? (isTaken ? undefined : fault);
  }
  if (typeof step === 'number') return isCharacterCode(step) ? undefined : `: expected a character code, found ${step}`;
  if (!isObject(step)) return unexpected('a string, an integer or an object', step);
  const [txt, prompt, screen] = [member(step, 'txt'), member(step, 'prompt'), member(step, 'screen')];
  return (
    below('.txt', textFault(txt, LONGEST_STEP_TEXT, UNTYPABLE)) ??
    (screen === undefined ? undefined : below('.screen', screenFault(screen, txt !== '' || prompt !== undefined))) ??
    (prompt === undefined ? undefined : below('.prompt', textFault(prompt, LONGEST_STEP_TEXT, UNTYPABLE)))
  );
}

function screenFault(screen: unknown, isMore: boolean): Fault {
  if (isMore) return ': expected an empty "txt" beside it, and no "prompt"';
  if (Array.isArray(screen) && screen.length === 0) return ': expected a text at least';
  return listFault('', screen, MOST_SCREEN_TEXTS, 'texts', (text) => {
    if (!isObject(text)) return unexpected('an object', text);
    return (
      below('.text', nameFault(member(text, 'text'), LONGEST_SCREEN_TEXT)) ??
      below('.row', placeFault(member(text, 'row'))) ??
      below('.column', placeFault(member(text, 'column')))
    );
  });
}

function placeFault(value: unknown): Fault {
  if (typeof value !== 'number') return unexpected('an integer', value);
  const isPlace = Number.isInteger(value) && value >= 1 && value <= LARGEST_ROW_OR_COLUMN;
  return isPlace ? undefined : `: expected an integer between 1 and ${LARGEST_ROW_OR_COLUMN}, found ${value}`;
}

function mappingFault(mapping: unknown): Fault {
  if (!isObject(mapping)) return unexpected('an object', mapping);
  const key = member(mapping, 'key');
  if (key !== 'ctrl' && key !== 'alt') {
    return `.key: expected "ctrl" or "alt", found ${typeof key === 'string' ? 'another string' : kindOf(key)}`;
  }
  const code = member(mapping, 'keycode');
  if (typeof code !== 'number') return below('.keycode', unexpected('an integer', code));
  if (Number.isInteger(code) && code >= 0 && code <= LARGEST_KEY_CODE) return undefined;
  return `.keycode: expected an integer between 0 and ${LARGEST_KEY_CODE}, found ${code}`;
}

function listFault(path: string, list: unknown, most: number, what: string, faultOf: (item: unknown) => Fault): Fault {
  if (!Array.isArray(list)) return below(path, unexpected('an array', list));
  if (list.length > most) return `${path}: expected at most ${most} ${what}, found ${list.length}`;
  for (let index = 0; index < list.length; index += 1) {
    const fault = faultOf(list[index]);
    if (fault !== undefined) return `${path}[${index}]${fault}`;
  }
  return undefined;
}

function nameFault(value: unknown, longest: number): Fault {
  return value === '' ? ': expected a string that is not empty' : textFault(value, longest, UNPRINTABLE);
}

function textFault(value: unknown, longest: number, refused: RegExp): Fault {
  if (typeof value !== 'string') return unexpected('a string', value);
  if (value.length > longest) return `: expected at most ${longest} characters, found ${value.length}`;
  const at = value.search(refused);
  if (at < 0) return undefined;
  const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return `: character ${at + 1} is U+${code}, which cannot be used here`;
}

function integerFault(value: unknown): Fault {
  if (value === undefined || Number.isSafeInteger(value)) return undefined;
  return typeof value === 'number' ? `: expected an integer, found ${value}` : unexpected('an integer', value);
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

function below(path: string, fault: Fault): Fault {
  return fault === undefined ? undefined : path + fault;
}

function unexpected(expected: string, found: unknown): string {
  return `: expected ${expected}, found ${kindOf(found)}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
