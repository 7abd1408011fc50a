import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import { jsonPointer, type ParameterDefinition } from '../../services/parameter.js';
import { hasBody, readRequestBody } from '../http/request-body.js';
import { ProblemError } from './problem.js';

/** Of the body of a call. */
export const LARGEST_CALL_BYTES = 64 * 1_024;

/** Of the body of a call with these parameters: text in JSON may take twice its bytes, and base64 takes a third more. */
export function largestCallBytes(parameters: ReadonlyMap<string, ParameterDefinition>): number {
  let bytes = LARGEST_CALL_BYTES;
  for (const { type, maxLength } of parameters.values()) if (type === 'file') bytes += 2 * maxLength;
  return bytes;
}

interface JsonBody {
  readonly bytes: Buffer;
  readonly value: unknown;
  /** RFC 6901 pointers of members that stand there more than once. */
  readonly repeated: ReadonlySet<string>;
}

interface BodyFault {
  /** RFC 6901. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * The JSON of a request; a request without a body is an empty object. What came is in no error.
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE, SVC_ERR_REQUEST_BODY_TYPE, SVC_ERR_REQUEST_BODY
 */
export async function readJsonBody(incoming: IncomingMessage, mostBytes = LARGEST_CALL_BYTES): Promise<JsonBody> {
  if (!hasBody(incoming)) return { bytes: Buffer.alloc(0), value: {}, repeated: new Set() };
  // of what is not looked at, nothing is read
  const bytes = await readRequestBody(incoming, mostBytes);
  if (mediaTypeOf(incoming.headers['content-type']) !== 'application/json') {
    throw new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: 'Expected application/json.' });
  }
  const text = orRefused(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const repeated = repeatedMembers(text);
  if (repeated === undefined) {
    const detail = `Expected at most ${MOST_BODY_VALUES} values and names, at most ${DEEPEST_BODY} arrays and objects within one another.`;
    throw new ServiceError('SVC_ERR_REQUEST_BODY', { detail });
  }
  return { bytes, value: orRefused(() => JSON.parse(text)), repeated };
}

function orRefused<T>(read: () => T): T {
  try {
    return read();
  } catch {
    // the message of the parser quotes what came
    throw new ServiceError('SVC_ERR_REQUEST_BODY', { detail: 'Expected JSON in UTF-8.' });
  }
}

/** What is wrong with the values of a request, all of it. */
export function valuesRefused(faults: readonly BodyFault[]): ProblemError {
  const errors = faults.map(({ pointer, message }) => ({ pointer, detail: message }));
  return new ProblemError('SVC_ERR_SERVICE_PARAMETERS', { errors });
}

/** @throws ServiceError SVC_ERR_SERVICE_PARAMETERS where it is no object */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw valuesRefused([{ pointer: '', message: 'Expected an object.' }]);
}

/** Found at once. */
const MOST_FOUND = 100;

/** Values and names of a body: each costs time, and other requests wait meanwhile. */
const MOST_BODY_VALUES = 10_000;
/** Arrays and objects within one another. */
const DEEPEST_BODY = 32;

interface Frame {
  /** Names so far; undefined: an array. */
  readonly names: Set<string> | undefined;
  /** Of an array: the elements so far. Of an object: the name that the next value stands under. */
  position: number;
  name: string;
  expectsName: boolean;
}

/**
 * Members of objects that stand there more than once: JSON.parse keeps the last of them without a word. Looks at each character
 * once, whatever the text is.
 * @param text to be given to JSON.parse afterwards: of what is no JSON nothing is said
 * @returns RFC 6901 pointers, each once; undefined: it has too many values, or too many within one another
 */
export function repeatedMembers(text: string): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  const frames: Frame[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const frame = frames.at(-1);
    switch (text[at]) {
      case '{':
      case '[':
        if (frames.length === DEEPEST_BODY) return undefined;
        frames.push({
          names: text[at] === '{' ? new Set() : undefined,
          position: 0,
          name: '',
          expectsName: text[at] === '{',
        });
        values += 1;
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        values += 1;
        if (frame !== undefined) {
          frame.position += 1;
          frame.expectsName = frame.names !== undefined;
        }
        break;
      case ':':
        values += 1;
        break;
      case '"': {
        const start = at;
        at = lastOfString(text, start);
        if (frame?.names === undefined || !frame.expectsName) break;
        frame.expectsName = false;
        frame.name = nameOf(text.slice(start, at + 1));
        if (frame.names.has(frame.name) && found.size < MOST_FOUND) found.add(pointerOf(frames));
        frame.names.add(frame.name);
      }
    }
    if (values > MOST_BODY_VALUES) return undefined;
  }
  return found;
}

/** Where the quotation mark stands that ends a string; the end of the text where none does. */
function lastOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function nameOf(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function pointerOf(frames: readonly Frame[]): string {
  return jsonPointer(frames.map(({ names, position, name }) => (names === undefined ? String(position) : name)));
}
