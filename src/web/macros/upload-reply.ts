import { errorCatalogue, type ServiceError } from '../../errors.js';
import type { StoredMacros } from '../../macro/stored-macros.js';

/** What the page of an upload is told (reference 5.5): the return code, and what happened when. */
export interface UploadReply {
  readonly status: number;
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

const FINE = '00';
const REFUSED = '08';

export function fineReply({ bytes }: StoredMacros): UploadReply {
  return reply(200, FINE, [
    'MESSAGE RECEIVED',
    'LOADING FILE: MACROS.JSON',
    `SIZE : ${bytes.length} BYTES (TEXT)`,
    'MIME : application/json',
  ]);
}

export function refusedReply(error: ServiceError): UploadReply {
  const { message, exposed, status } = errorCatalogue[error.code];
  const detail = exposed && error.detail !== undefined ? ` ${error.detail}` : '';
  return reply(status, REFUSED, ['MESSAGE RECEIVED', `REFUSED: ${message}${detail}`]);
}

function reply(status: number, code: string, messages: readonly string[]): UploadReply {
  const time = new Date().toTimeString().slice(0, 8).replaceAll(':', '');
  return {
    status,
    variables: new Map([
      ['$RETURN-CODE$', [code]],
      ['$UPLOAD-MESSAGE$', messages.map((message) => `${time} ${message}`)],
    ]),
  };
}
