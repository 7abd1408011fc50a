import type { SubmitMembers } from '../../src/terminal/protocol/page-message.js';
import type { FieldEncryption } from '../crypto/field-encryption.js';
import type { SubmittedField } from './model/submission-form.js';

/**
 * Encodes fields for the server. Hidden fields are encrypted with a new key each time.
 * @param number of the page and of the submit
 */
export function fieldsForServer(
  fields: readonly SubmittedField[],
  encryption: FieldEncryption | undefined,
  code: string,
  number: string,
): Pick<SubmitMembers, 'f' | 's'> {
  const f: Record<string, string> = {};
  let s: string | undefined;
  for (const { id, text, nonDisplayable } of fields) {
    if (!nonDisplayable || encryption === undefined || text === '') {
      f[id] = text;
      continue;
    }
    s ??= encryption.newSessionKey();
    f[id] = encryption.encrypt(text, code, id, number);
  }
  encryption?.forget();
  return { f, ...(s === undefined || s === '' ? {} : { s }) };
}
