import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import { jsonPointer, type ParameterDefinition } from '../../services/parameter.js';
import { hasBody, readRequestBody } from '../http/request-body.js';
import { ProblemError } from './problem.js';

const JSON_TYPE = 'application/json';
export const LARGEST_CALL_BYTES = 64 * 1_024;

/** Maximum for a call with these parameters. JSON escapes may double the size of text; base64 adds a third. */
export function largestCallBytes(parameters: ReadonlyMap<string, ParameterDefinition>): number {
  let bytes = LARGEST_CALL_BYTES;
  for (const { type, maxLength } of parameters.values()) if (type === 'file') bytes += 2 * maxLength;
  return bytes;
}

interface JsonBody {
  readonly bytes: Buffer;
  readonly value: unknown;
  readonly repeated: ReadonlySet<string>;
}

interface BodyFault {
  /** RFC 6901. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * Reads a JSON request; without a body, an empty object. Errors never quote the body.
 * @throws ServiceError SVC_ERR_REQUEST_BODY_SIZE, SVC_ERR_REQUEST_BODY_TYPE, SVC_ERR_REQUEST_BODY
 */
export async function readJsonBody(incoming: IncomingMessage, mostBytes = LARGEST_CALL_BYTES): Promise<JsonBody> {
  if (!hasBody(incoming)) return { bytes: Buffer.alloc(0), value: {}, repeated: new Set() };
  const bytes = await readRequestBody(incoming, mostBytes);
  if (mediaTypeOf(incoming.headers['content-type']) !== JSON_TYPE) {
    throw new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: { code: 'body.type', values: { type: JSON_TYPE } } });
  }
  const text = orRefused(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const repeated = repeatedMembers(text);
  if (repeated === undefined) {
    const values = { most: MOST_BODY_VALUES, deepest: DEEPEST_BODY };
    throw new ServiceError('SVC_ERR_REQUEST_BODY', { detail: { code: 'body.jsonBounds', values } });
  }
  return { bytes, value: orRefused(() => JSON.parse(text)), repeated };
}

function orRefused<T>(read: () => T): T {
  try {
    return read();
  } catch {
    // the parser's message quotes the body
    throw new ServiceError('SVC_ERR_REQUEST_BODY', { detail: { code: 'body.json' } });
  }
}

export function valuesRefused(faults: readonly BodyFault[]): ProblemError {
  const errors = faults.map(({ pointer, message }) => ({ pointer, detail: message }));
  return new ProblemError('SVC_ERR_SERVICE_PARAMETERS', { errors });
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw valuesRefused([{ pointer: '', message: 'Expected an object.' }]);
}

const MOST_FOUND = 100;

/** Values and names in a body. Parsing more would delay other requests. */
const MOST_BODY_VALUES = 10_000;
const DEEPEST_BODY = 32;

interface Frame {
  /** Names so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** Number of previous elements in an array. For an object, `name` is the name of the next value. */
  position: number;
  name: string;
  expectsName: boolean;
}

/**
 * Finds repeated members of objects, because JSON.parse silently keeps only the last. Linear in the length of the text.
 * @param text text for JSON.parse; this function does not report invalid JSON
 * @returns RFC 6901 pointers, each once; undefined if there are too many values or nesting levels
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

/** Index of the closing quotation mark, or the text's length if it is missing. */
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
