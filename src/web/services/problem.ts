import { type PublicErrorOptions, ServiceError } from '../../lib/errors.js';
import type { Answer } from '../http/answer.js';
import { type ErrorHeaders, errorHeaders } from '../http/error-response.js';
import { dynamicHeaders, withHeaders } from '../http/response-headers.js';

export type ProblemMembers = Readonly<Record<string, unknown>>;

export class ProblemError extends ServiceError {
  readonly members: ProblemMembers;

  constructor(code: ServiceError['code'], members: ProblemMembers, options: PublicErrorOptions = {}) {
    super(code, options);
    this.members = members;
  }
}

/** For example, `SVC_ERR_GUARD_FAILED` becomes `guard-failed`. */
export function problemCode(code: ServiceError['code']): string {
  return code.slice('SVC_ERR_'.length).toLowerCase().replaceAll('_', '-');
}

/** Problem document for an error (RFC 9457). Internal errors (status 500) show only the request ID. */
export function problemAnswer(error: ServiceError, requestId: string): Answer {
  const isOurs = error.description.status === 500;
  const shown = isOurs ? new ServiceError('SVC_ERR_SERVICE_FAILED') : error;
  const { status } = shown.description;
  const code = problemCode(shown.code);
  const detail = shown.publicDetailIn('en');
  const further = errorHeaders(error, status);
  const document = {
    type: `urn:sallyport:problem:${code}`,
    title: shown.messageIn('en'),
    status,
    ...(detail === undefined ? {} : { detail }),
    code,
    requestId,
    ...(error instanceof ProblemError && !isOurs ? error.members : {}),
  };
  return problemDocument(status, document, further);
}

export function outcomeAnswer(
  { status, code, message }: { readonly status: number; readonly code: string; readonly message: string },
  requestId: string,
  members: ProblemMembers = {},
): Answer {
  const title = message === '' ? code : message;
  return problemDocument(status, { type: `urn:sallyport:outcome:${code}`, title, status, code, requestId, ...members });
}

function problemDocument(status: number, document: object, further: ErrorHeaders = []): Answer {
  const body = Buffer.from(JSON.stringify(document));
  const headers = [...dynamicHeaders('application/problem+json', body.length, '0'), ...noStore];
  return { status, headers: withHeaders(headers, further), body };
}

export function jsonAnswer(status: number, document: object, further: readonly string[] = []): Answer {
  const body = Buffer.from(JSON.stringify(document));
  return { status, headers: [...dynamicHeaders('application/json', body.length, '0'), ...noStore, ...further], body };
}

/** Content from hosts must not be cached on the way to the client. */
const noStore = ['Cache-Control', 'no-store'] as const;
