import { ServiceError } from '../lib/errors.js';
import { firstJsonFault } from './json-fault.js';
import { macroFault } from './macro-fault.js';
import { type MacroSet, MOST_MACRO_FILE_BYTES } from './macro-set.js';

/**
 * The macros of a file.
 * @param isStored see `macroFault`
 * @throws ServiceError SVC_ERR_MACRO_SIZE, or SVC_ERR_MACRO_CONTENT with the path of the first fault
 */
export function readMacroSet(bytes: Uint8Array, isStored = false): MacroSet {
  if (bytes.length > MOST_MACRO_FILE_BYTES) {
    throw new ServiceError('SVC_ERR_MACRO_SIZE', {
      detail: `It has ${bytes.length} bytes; at most ${MOST_MACRO_FILE_BYTES} are taken.`,
    });
  }
  const text = decoded(bytes);
  if (text === undefined) throw unacceptable('$: expected text in UTF-8');
  const faultOfText = firstJsonFault(text);
  if (faultOfText !== undefined) throw unacceptable(`${faultOfText.path}: ${faultOfText.problem}`);
  const document: unknown = JSON.parse(text);
  const fault = macroFault(document, isStored);
  if (fault !== undefined) throw unacceptable(fault);
  return document as MacroSet;
}

function unacceptable(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_CONTENT', { detail });
}

/** Undefined where the bytes are not UTF-8. A byte order mark is left out. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
