import { isUtf8 } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import type { KeptAnswer, KeyedRequest } from '../../services/idempotency-store.js';
import type { Answer } from '../http/answer.js';
import { serviceErrorOf } from '../http/error-response.js';
import { dynamicHeaders } from '../http/response-headers.js';
import type { ApiRequest } from './api-caller.js';
import { problemAnswer } from './problem.js';

const KEY = /^[\x21-\x7e]{1,255}$/;

export interface CallAnswer {
  readonly answer: Answer;
  /** True if the call may have had an effect on the host. */
  readonly isCarriedOut: boolean;
}

interface KeyedCall {
  readonly key: string;
  readonly called: string;
  readonly body: Buffer;
  readonly carryOut: () => Promise<CallAnswer>;
  /** True if an error proves that the call had no effect. Its key can then be used again. */
  readonly isUntouched?: (error: ServiceError) => boolean;
}

/** @throws ServiceError SVC_ERR_IDEMPOTENCY_KEY */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const values = headersDistinct['idempotency-key'];
  if (values === undefined) return undefined;
  const [key = ''] = values;
  if (values.length === 1 && KEY.test(key)) return key;
  throw new ServiceError('SVC_ERR_IDEMPOTENCY_KEY', { detail: { code: 'call.idempotencyKey' } });
}

/** Identifies a request by hashes. Guessed parameters can be tested against the hashes only with the key. */
function keyedRequest(caller: string, { key, called, body }: KeyedCall): KeyedRequest {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
  return {
    id: hash(`${caller}\n${key}`),
    caller: hash(caller),
    content: createHmac('sha256', `${caller}\n${key}`).update(`${called}\n`).update(body).digest('base64url'),
  };
}

/**
 * Executes a call once per key and returns the stored answer for repetitions. The call continues if its client
 * disconnects, because the client will ask again with the key.
 * @throws ServiceError SVC_ERR_IDEMPOTENCY_*, and the errors of `carryOut`
 */
export async function onceForKey({ services, caller, requestId, site }: ApiRequest, call: KeyedCall): Promise<Answer> {
  const store = services.idempotency;
  const request = keyedRequest(caller.key, call);
  // the client still gets the answer, but it cannot be repeated
  const onLost = (error: unknown) =>
    site.log.error({ err: error, requestId }, 'the answer to a request with an Idempotency-Key cannot be stored');
  const beginning = await store.begin(request);
  switch (beginning.kind) {
    case 'answered':
      return givenAgain(beginning.answer);
    case 'otherContent':
      throw new ServiceError('SVC_ERR_IDEMPOTENCY_REUSED');
    case 'running':
      throw new ServiceError('SVC_ERR_IDEMPOTENCY_RUNNING', { headers: { 'Retry-After': '1' } });
    case 'interrupted':
      throw new ServiceError('SVC_ERR_IDEMPOTENCY_UNKNOWN');
    case 'full':
      throw new ServiceError('SVC_ERR_IDEMPOTENCY_FULL', { headers: { 'Retry-After': '60' } });
    case 'begun': {
      const keep = (answer: Answer, isCarriedOut: boolean) =>
        (isCarriedOut ? store.answer(request.id, keptAnswer(answer)) : store.forget(request.id)).catch(onLost);
      const { answer, isCarriedOut } = await call.carryOut().catch(async (thrown: unknown) => {
        const error = serviceErrorOf(thrown);
        await keep(problemAnswer(error, requestId), call.isUntouched?.(error) !== true);
        throw thrown;
      });
      await keep(answer, isCarriedOut);
      return answer;
    }
  }
}

function keptAnswer({ status, headers, body }: Answer): KeptAnswer {
  const further = keptHeaders.flatMap((name) => {
    const value = headerOf(headers, name);
    return value === undefined ? [] : [name, value];
  });
  return {
    status,
    contentType: headerOf(headers, 'Content-Type') ?? '',
    ...(isUtf8(body) ? { body: body.toString() } : { body: body.toString('base64'), isBase64: true }),
    ...(further.length === 0 ? {} : { headers: further }),
  };
}

const keptHeaders = ['Content-Disposition', 'Content-Security-Policy', 'Location'] as const;

function headerOf(headers: readonly string[], wanted: string): string | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted.toLowerCase());
  return at < 0 ? undefined : headers[at + 1];
}

function givenAgain({ status, contentType, body: text, isBase64 = false, headers: further = [] }: KeptAnswer): Answer {
  const body = Buffer.from(text, isBase64 ? 'base64' : 'utf8');
  const headers = [...dynamicHeaders(contentType, body.length, '0'), ...further];
  return { status, headers: [...headers, 'Cache-Control', 'no-store', 'Idempotent-Replayed', 'true'], body };
}
