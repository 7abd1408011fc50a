import type { Submission, SubmittedKey, SubmittedValue } from '../session/exchange.js';
import { addressOfField } from '../session/field-address.js';
import { requestedKey } from './attention-key.js';

/** What a page says over its socket (docs/screen-protocol.md). */
export type ScreenRequest =
  | { readonly kind: 'hello'; readonly page: number | undefined; readonly revision: number | undefined }
  | {
      readonly kind: 'key';
      readonly number: number;
      readonly key: SubmittedKey | { readonly kind: 'disconnect' };
      readonly submission: Omit<Submission, 'key' | 'sessionCode' | 'requestNumber'>;
    };

const LARGEST_NUMBER = 1_000_000_000;

/** @returns undefined where the text is no message of the protocol */
export function readScreenRequest(text: string): ScreenRequest | undefined {
  const message = parsed(text);
  if (message === undefined) return undefined;
  if (message.k === 'h') return { kind: 'hello', page: wholeNumber(message.p), revision: wholeNumber(message.r) };
  const number = wholeNumber(message.i);
  if (message.k !== 'k' || number === undefined || typeof message.a !== 'string') return undefined;
  const key = requestedKey(message.a)?.key;
  const values = valuesOf(message.f);
  const { s: wrappedKey, u } = message;
  if (key === undefined || key.kind === 'pageClosed' || values === undefined) return undefined;
  if (wrappedKey !== undefined && typeof wrappedKey !== 'string') return undefined;
  return {
    kind: 'key',
    number,
    key,
    submission: { cursor: wholeNumber(u), values, wrappedKey, modifiesReceived: true, offered: [] },
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < LARGEST_NUMBER
    ? (value as number)
    : undefined;
}

function valuesOf(fields: unknown): SubmittedValue[] | undefined {
  if (fields === undefined) return [];
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return undefined;
  const values: SubmittedValue[] = [];
  for (const [id, wire] of Object.entries(fields)) {
    const address = addressOfField(id);
    if (address === undefined || typeof wire !== 'string') return undefined;
    values.push({ address, fieldId: id, wire, isEncrypted: false });
  }
  return values;
}
