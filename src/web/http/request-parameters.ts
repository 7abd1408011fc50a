import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { FORM_TYPE, mediaTypeOf } from '../../lib/text/media-type.js';
import { decodePercent } from './request-path.js';

/** Pairs that a query may hold. */
export const MOST_PARAMETERS = 1_000;
/** Pairs that a form may hold: the largest screen has fewer fields. */
export const MOST_FORM_FIELDS = 20_000;

const PLUS = 0x2b;
const BLANK = 0x20;

const noParameters: ReadonlyMap<string, readonly string[]> = new Map();

/**
 * The parameters of a query in their order, decoded (`+` is a blank); a parameter given twice has two values.
 * Empty pieces (`&&`) are skipped; a piece without `=` has the empty value.
 *
 * @param query without the `?`
 * @throws ServiceError SVC_ERR_REQUEST_ENCODING for malformed percent-encoding; SVC_ERR_REQUEST_PARAMETERS for more
 *   than `most` pairs and for NUL
 */
export function parseRequestParameters(query: string, most = MOST_PARAMETERS): ReadonlyMap<string, readonly string[]> {
  if (query === '') return noParameters;
  const parameters = new Map<string, string[]>();
  let pairs = 0;
  let start = 0;
  while (start < query.length) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    if (end > start) {
      pairs += 1;
      if (pairs > most) throw refused(`There are more than ${most}.`);
      addPair(parameters, query.slice(start, end));
    }
    start = end + 1;
  }
  return parameters;
}

function addPair(parameters: Map<string, string[]>, pair: string): void {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
  const values = parameters.get(name);
  if (values === undefined) parameters.set(name, [value]);
  else values.push(value);
}

function decode(text: string): string {
  const blanked = text.includes('+') ? withBlanks(text) : text;
  // the bytes of a form may hold one as it is
  const decoded = blanked.includes('%') ? decodePercent(blanked) : blanked;
  if (decoded.includes('\0')) throw refused('One holds a NUL character.');
  return decoded;
}

/** `+` is a blank. To replace a million of them in a string holds the event loop for 0.2 s, and in its code units for 5 ms. */
function withBlanks(text: string): string {
  // Node aligns it
  const bytes = Buffer.from(text, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  for (let at = text.indexOf('+'); at < units.length; at++) if (units[at] === PLUS) units[at] = BLANK;
  const blanked = bytes.toString('utf16le');
  // it may be a password
  bytes.fill(0);
  return blanked;
}

function refused(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail });
}

/** The first value of a parameter; its name is matched exactly first, then without regard to case (contract). */
export function parameterNamed(parameters: ReadonlyMap<string, readonly string[]>, name: string): string | undefined {
  const exact = parameters.get(name)?.[0];
  if (exact !== undefined) return exact;
  const folded = name.toUpperCase();
  for (const [key, values] of parameters) if (key.toUpperCase() === folded) return values[0];
  return undefined;
}

/** Whether the body is a form without files. */
export function isPlainForm(incoming: IncomingMessage): boolean {
  return mediaTypeOf(incoming.headers['content-type']) === FORM_TYPE;
}

/**
 * The fields of a form, whose bytes stay as they are: somebody reads them again.
 * @param most fields that it may have
 * @throws ServiceError SVC_ERR_SUBMIT_TYPE, and what `parseRequestParameters` throws
 */
export function formFields(
  incoming: IncomingMessage,
  body: Buffer | undefined,
  most: number,
): ReadonlyMap<string, readonly string[]> {
  if (!isPlainForm(incoming)) throw new ServiceError('SVC_ERR_SUBMIT_TYPE');
  return parseRequestParameters(new TextDecoder().decode(body), most);
}

/**
 * The fields of a form. Its bytes are overwritten: passwords may be among them.
 * @param most fields that it may have
 * @throws ServiceError SVC_ERR_SUBMIT_TYPE, and what `parseRequestParameters` throws
 */
export function submittedForm(
  incoming: IncomingMessage,
  body: Buffer | undefined,
  most: number,
): ReadonlyMap<string, readonly string[]> {
  try {
    return formFields(incoming, body, most);
  } finally {
    body?.fill(0);
  }
}
