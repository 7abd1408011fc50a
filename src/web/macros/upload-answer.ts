import { errorCatalogue, type ServiceError } from '../../lib/errors.js';
import type { StoredMacros } from '../../macros/macro-store.js';
import type { Answer } from '../http/answer.js';
import { answerPolicy } from '../http/content-security-policy.js';
import { type ErrorHeaders, errorHeaders } from '../http/error-headers.js';
import { dynamicHeaders, withHeaders } from '../http/response-headers.js';
import { asPrivate } from '../sessions/session-rendering.js';

/** What the page of an upload is told (reference 5.5): the return code, and what happened when. */
export interface UploadAnswer {
  readonly status: number;
  readonly headers?: ErrorHeaders;
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly refusal?: ServiceError;
}

/** The variable of a page that answers uploads. */
export const RETURN_CODE_VARIABLE = '$RETURN-CODE$';
const MESSAGE_VARIABLE = '$UPLOAD-MESSAGE$';

const FINE = '00';
const REFUSED = '08';

export function fineAnswer({ bytes }: StoredMacros): UploadAnswer {
  return answerWith(200, FINE, [
    'MESSAGE RECEIVED',
    'LOADING FILE: MACROS.JSON',
    `SIZE : ${bytes.length} BYTES (TEXT)`,
    'MIME : application/json',
  ]);
}

export function refusedAnswer(error: ServiceError): UploadAnswer {
  const { message, exposed, status } = errorCatalogue[error.code];
  const detail = exposed && error.detail !== undefined ? ` ${error.detail}` : '';
  const answer = answerWith(status, REFUSED, ['MESSAGE RECEIVED', `REFUSED: ${message}${detail}`]);
  return { ...answer, headers: errorHeaders(error, status), refusal: error };
}

/**
 * A refusal without the page that the URL names: senders who may not upload learn nothing about pages. It has the lines of `UPLOAD.TXT`.
 */
export function refusalInText(error: ServiceError): Answer {
  const { status, headers: further = [], variables, refusal } = refusedAnswer(error);
  const messages = (variables.get(MESSAGE_VARIABLE) ?? []).map((message) => `${message}\n`).join('');
  const body = Buffer.from(`RETURN CODE IS: ${REFUSED}\n${messages}`);
  const headers = withHeaders(dynamicHeaders('text/plain', body.length, '0'), [...further]);
  return asPrivate({ status, headers, body, ...(refusal && { refusal }) }, answerPolicy);
}

function answerWith(status: number, code: string, messages: readonly string[]): UploadAnswer {
  const time = new Date().toTimeString().slice(0, 8).replaceAll(':', '');
  return {
    status,
    variables: new Map([
      [RETURN_CODE_VARIABLE, [code]],
      [MESSAGE_VARIABLE, messages.map((message) => `${time} ${message}`)],
    ]),
  };
}
