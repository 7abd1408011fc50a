import { errorCatalogue, type ServiceError } from '../../errors.js';
import type { StoredMacros } from '../../macro/stored-macros.js';
import { type ErrorHeaders, errorHeaders } from '../http/error-headers.js';

/** What the page of an upload is told (reference 5.5): the return code, and what happened when. */
export interface UploadAnswer {
  readonly status: number;
  readonly headers?: ErrorHeaders;
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

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
  return { ...answer, headers: errorHeaders(error, status) };
}

function answerWith(status: number, code: string, messages: readonly string[]): UploadAnswer {
  const time = new Date().toTimeString().slice(0, 8).replaceAll(':', '');
  return {
    status,
    variables: new Map([
      ['$RETURN-CODE$', [code]],
      ['$UPLOAD-MESSAGE$', messages.map((message) => `${time} ${message}`)],
    ]),
  };
}
