import {
  addressOfField,
  NO_BASE,
  type Submission,
  type SubmittedKey,
  type SubmittedValue,
} from '../../sessions/submit.js';
import { decodePageMessage } from '../../terminal/protocol/decode-page-message.js';
import type { LookQuestion } from '../../terminal/protocol/server-message.js';
import { requestedKey } from '../sessions/submission.js';

export type ScreenRequest =
  /** A macro starts; without a name, it ends. */
  | { readonly kind: 'macro'; readonly name: string | undefined }
  | { readonly kind: 'look'; readonly number: number; readonly question: LookQuestion }
  | { readonly kind: 'hello'; readonly page: number | undefined; readonly revision: number | undefined }
  | { readonly kind: 'time'; readonly isUserThere: boolean }
  | {
      readonly kind: 'key';
      readonly number: number;
      /** True if the key is for the answer to the page's last key. */
      readonly isTypedAhead: boolean;
      readonly key: SubmittedKey | { readonly kind: 'disconnect' };
      readonly submission: Omit<Submission, 'key' | 'sessionCode' | 'requestNumber'>;
    };

/** @returns undefined if the text is not a message of the protocol, or names an invalid key or field */
export function readScreenRequest(text: string): ScreenRequest | undefined {
  const message = decodePageMessage(text);
  if (message === undefined) return undefined;
  if (message.k === 'h') return { kind: 'hello', page: message.p, revision: message.r };
  if (message.k === 'q') return { kind: 'time', isUserThere: message.y === 1 };
  if (message.k === 'm') return { kind: 'macro', name: message.n };
  if (message.k === 'x') {
    const { i, w: hostMilliseconds, t: screenMilliseconds, s: screens, v: read } = message;
    return { kind: 'look', number: i, question: { hostMilliseconds, screens, screenMilliseconds, read } };
  }
  const { x: screens } = message;
  const { i: number, a: name, r: base = NO_BASE, y: typedAhead, u: cursor, f: fields = {}, s: wrappedKey } = message;
  const key = requestedKey(name)?.key;
  const values = valuesOf(fields);
  if (key === undefined || key.kind === 'pageClosed' || values === undefined) return undefined;
  const submission = {
    base,
    cursor,
    values,
    wrappedKey,
    modifiesReceived: true,
    tellsNulls: true,
    offered: [],
    screens,
  };
  return { kind: 'key', number, isTypedAhead: typedAhead === 1, key, submission };
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
