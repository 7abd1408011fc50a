import { decodePageMessage } from '../../screen-protocol/decode-page-message.js';
import { addressOfField } from '../../session/field-address.js';
import type { Submission, SubmittedKey, SubmittedValue } from '../../session/submit.js';
import { requestedKey } from '../sessions/attention-key.js';

/** What a page asks for over its socket. */
export type ScreenRequest =
  | { readonly kind: 'hello'; readonly page: number | undefined; readonly revision: number | undefined }
  | {
      readonly kind: 'key';
      readonly number: number;
      readonly key: SubmittedKey | { readonly kind: 'disconnect' };
      readonly submission: Omit<Submission, 'key' | 'sessionCode' | 'requestNumber'>;
    };

/** @returns undefined where the text is no message of the protocol, or names a key or a field that cannot be */
export function readScreenRequest(text: string): ScreenRequest | undefined {
  const message = decodePageMessage(text);
  if (message === undefined) return undefined;
  if (message.k === 'h') return { kind: 'hello', page: message.p, revision: message.r };
  const { i: number, a: name, u: cursor, f: fields = {}, s: wrappedKey } = message;
  const key = requestedKey(name)?.key;
  const values = valuesOf(fields);
  if (key === undefined || key.kind === 'pageClosed' || values === undefined) return undefined;
  return { kind: 'key', number, key, submission: { cursor, values, wrappedKey, modifiesReceived: true, offered: [] } };
}

function valuesOf(fields: Readonly<Record<string, string>>): SubmittedValue[] | undefined {
  const values: SubmittedValue[] = [];
  for (const [id, wire] of Object.entries(fields)) {
    const address = addressOfField(id);
    if (address === undefined) return undefined;
    values.push({ address, fieldId: id, wire, isEncrypted: false });
  }
  return values;
}
