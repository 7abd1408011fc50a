import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import { MOST_MACRO_FILE_BYTES } from '../../macros/macro-set.js';
import { isMultipartForm, MultipartError, type MultipartPart, multipartParts } from '../http/multipart-parts.js';
import { readRequestBody } from '../http/request-body.js';

const ENVELOPE_BYTES = 65_536;
const PART_NAME = 'file';
const PART_TYPE = 'application/json';
/** More parts than allowed are counted up to this number for the message. */
const MOST_COUNTED_PARTS = 16;
const limits = { parts: MOST_COUNTED_PARTS, fileBytes: MOST_MACRO_FILE_BYTES, fieldBytes: ENVELOPE_BYTES };

/**
 * The file of an upload (specification 4.4): multipart form data with one part, named `file`, of type application/json.
 * @throws ServiceError SVC_ERR_MACRO_TYPE, SVC_ERR_MACRO_SIZE
 */
export async function uploadedFile(incoming: IncomingMessage): Promise<Buffer> {
  const parts = await partsOf(incoming);
  const [part] = parts;
  if (part === undefined || parts.length > 1) {
    throw uploadRefused({ code: parts.length === 0 ? 'macro.noPart' : 'macro.manyParts', values: { name: PART_NAME } });
  }
  if (part.fileName === undefined) throw uploadRefused({ code: 'macro.partNoFile', values: { name: PART_NAME } });
  if (part.name !== PART_NAME) {
    throw uploadRefused({ code: 'macro.partName', values: { found: part.name.slice(0, 64), name: PART_NAME } });
  }
  if (part.type !== PART_TYPE) {
    throw uploadRefused({ code: 'macro.partType', values: { found: part.type.slice(0, 64), type: PART_TYPE } });
  }
  return wholeBytes(part);
}

export interface UploadForm {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly file: Buffer | undefined;
}

/**
 * Reads a form of the portal. The type of the file is ignored, because browsers choose it.
 * @throws ServiceError as `uploadedFile` does, and SVC_ERR_REQUEST_PARAMETERS
 */
export async function uploadForm(incoming: IncomingMessage): Promise<UploadForm> {
  const parts = await partsOf(incoming);
  const fields = new Map<string, string[]>();
  for (const { name, fileName, bytes } of parts) {
    if (fileName !== undefined) continue;
    const value = bytes.toString();
    if (`${name}${value}`.includes('\0'))
      throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.nul' } });
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const file = parts.find(({ name, fileName }) => fileName !== undefined && name === PART_NAME);
  return { fields, file: file === undefined || file.bytes.length === 0 ? undefined : wholeBytes(file) };
}

async function partsOf(incoming: IncomingMessage): Promise<readonly MultipartPart[]> {
  const type = incoming.headers['content-type'] ?? '';
  if (!isMultipartForm(type)) throw uploadRefused({ code: 'body.noMultipart' });
  let body: Buffer;
  try {
    body = await readRequestBody(incoming, MOST_MACRO_FILE_BYTES + ENVELOPE_BYTES);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SVC_ERR_REQUEST_BODY_SIZE') throw tooLarge();
    throw error;
  }
  try {
    return await multipartParts(type, body, limits);
  } catch (fault) {
    if (!(fault instanceof MultipartError)) throw fault;
    throw uploadRefused({ code: 'body.multipart', values: { fault: fault.reason } });
  }
}

function wholeBytes({ bytes, isCut }: MultipartPart): Buffer {
  if (isCut) throw tooLarge();
  return bytes;
}

function tooLarge(): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_SIZE', {
    detail: { code: 'body.bytes', values: { most: MOST_MACRO_FILE_BYTES } },
  });
}

function uploadRefused(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_TYPE', { detail });
}
