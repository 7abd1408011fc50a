import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import type { ParameterDefinition } from '../../services/parameter.js';
import { hasBody, readRequestBody } from '../http/request-body.js';
import { ProblemError } from './problem.js';
import { DEEPEST_BODY, MOST_BODY_VALUES, repeatedMembers } from './repeated-members.js';

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
