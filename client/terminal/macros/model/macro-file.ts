import { macroFault } from '../../../../src/macros/macro-fault.js';
import { MACRO_FORMAT, type MacroSet, MOST_MACRO_FILE_BYTES } from '../../../../src/macros/macro-set.js';
import { reasonWords, words } from '../../words/words.js';

/** Place and reason of a fault in a macro file. It quotes nothing, because macros may contain secrets. */
export class MacroFileError extends Error {}

/**
 * @param isStored see `macroFault`
 * @throws MacroFileError
 */
export function readMacroFile(text: string, isStored = false): MacroSet {
  if (new TextEncoder().encode(text).length > MOST_MACRO_FILE_BYTES) {
    throw new MacroFileError(words('file.tooLarge', { bytes: MOST_MACRO_FILE_BYTES }));
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new MacroFileError(words('file.noJson'));
  }
  return macroSetOf(value, isStored);
}

/** @throws MacroFileError */
export function macroSetOf(value: unknown, isStored: boolean): MacroSet {
  const fault = macroFault(value, isStored);
  if (fault !== undefined) {
    throw new MacroFileError(words('macro.fault', { path: fault.path, problem: reasonWords(fault.problem) }));
  }
  return value as MacroSet;
}

export function macroFileText(set: MacroSet): string {
  return JSON.stringify({ ...set, fmt: MACRO_FORMAT });
}
