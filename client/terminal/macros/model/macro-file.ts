import {
  LONGEST_NAME,
  LONGEST_STEP_NAME,
  LONGEST_TEXT,
  MACRO_FORMAT,
  type MacroSet,
  MOST_FILE_BYTES,
  MOST_MACROS,
  MOST_STEPS,
} from './macro.js';

const LARGEST_KEY_CODE = 65_535;

/** A file that is no macro file: where it is not, and why. It quotes nothing, as macros may hold what nobody is to read. */
export class MacroFileError extends Error {}

/** @throws MacroFileError */
export function readMacroFile(text: string): MacroSet {
  if (new TextEncoder().encode(text).length > MOST_FILE_BYTES) wrong('', `more than ${MOST_FILE_BYTES} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    wrong('', 'this is not JSON');
  }
  return readMacroSet(value);
}

/** @throws MacroFileError */
export function readMacroSet(value: unknown): MacroSet {
  if (!isObject(value)) wrong('', 'expected an object with macros');
  const { macros, fmt } = value;
  if (!Array.isArray(macros)) wrong('macros', 'expected an array');
  if (macros.length > MOST_MACROS) wrong('macros', `more than ${MOST_MACROS} macros`);
  if (fmt !== undefined && !Number.isSafeInteger(fmt)) wrong('fmt', 'expected an integer');
  for (const [at, macro] of macros.entries()) checkMacro(macro, `macros[${at}]`);
  return value as unknown as MacroSet;
}

/** As it is stored and exported. */
export function macroFileText(set: MacroSet): string {
  return JSON.stringify({ ...set, fmt: MACRO_FORMAT });
}

function checkMacro(macro: unknown, path: string): void {
  if (!isObject(macro)) wrong(path, 'expected an object');
  const { name, rev, def, mapping } = macro;
  checkText(name, `${path}.name`, LONGEST_NAME);
  if (name === '') wrong(`${path}.name`, 'expected a name');
  if (rev !== undefined && !Number.isSafeInteger(rev)) wrong(`${path}.rev`, 'expected an integer');
  if (!Array.isArray(def)) wrong(`${path}.def`, 'expected an array');
  if (def.length > MOST_STEPS) wrong(`${path}.def`, `more than ${MOST_STEPS} steps`);
  for (const [at, step] of def.entries()) checkStep(step, `${path}.def[${at}]`);
  if (mapping === undefined) return;
  if (!isObject(mapping)) wrong(`${path}.mapping`, 'expected an object');
  if (mapping.key !== 'ctrl' && mapping.key !== 'alt') wrong(`${path}.mapping.key`, 'expected "ctrl" or "alt"');
  const code = mapping.keycode;
  if (!Number.isInteger(code) || Number(code) < 0 || Number(code) > LARGEST_KEY_CODE) {
    wrong(`${path}.mapping.keycode`, 'expected the code of a key');
  }
}

function checkStep(step: unknown, path: string): void {
  if (typeof step === 'number') {
    const isCharacter =
      Number.isInteger(step) && step > 0 && step <= 0x10_ff_ff && !(step >= 0xd8_00 && step <= 0xdf_ff);
    if (!isCharacter) wrong(path, 'expected the code of a character');
  } else if (typeof step === 'string') {
    checkText(step, path, LONGEST_STEP_NAME);
  } else if (isObject(step)) {
    checkText(step.txt, `${path}.txt`, LONGEST_TEXT);
    if (step.prompt !== undefined) checkText(step.prompt, `${path}.prompt`, LONGEST_TEXT);
  } else {
    wrong(path, 'expected a key, an instruction, a character code or a text');
  }
}

function checkText(value: unknown, path: string, longest: number): void {
  if (typeof value !== 'string') wrong(path, 'expected a string');
  if (value.length > longest) wrong(path, `more than ${longest} characters`);
  if (/[\0\p{Surrogate}]/u.test(value)) wrong(path, 'holds what no text has');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(path: string, problem: string): never {
  throw new MacroFileError(path === '' ? problem : `${path}: ${problem}`);
}
