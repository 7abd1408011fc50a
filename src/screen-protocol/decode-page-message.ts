import type { PageMessage, SubmitMessage } from './page-message.js';

/** Of a page, a submit, a revision or an address. */
export const LARGEST_NUMBER = 999_999_999;

/**
 * Reads what a client sends, which may be anything. What is no number where the protocol has one that may be missing is taken
 * for missing.
 * @returns undefined where the text is no message of the protocol
 */
export function decodePageMessage(text: string): PageMessage | undefined {
  const message = parsed(text);
  if (message?.k === 'h') return { k: 'h', p: wholeNumber(message.p), r: wholeNumber(message.r) };
  return message?.k === 'k' ? submitMessage(message) : undefined;
}

function submitMessage({ i, a, u, f = {}, s }: Readonly<Record<string, unknown>>): SubmitMessage | undefined {
  const number = wholeNumber(i);
  if (number === undefined || typeof a !== 'string' || !isFields(f)) return undefined;
  if (s !== undefined && typeof s !== 'string') return undefined;
  return { k: 'k', i: number, a, u: wholeNumber(u), f, s };
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
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST_NUMBER
    ? (value as number)
    : undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((wire) => typeof wire === 'string');
}
