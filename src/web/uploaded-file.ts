import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { ServiceError } from '../errors.js';
import { MOST_MACRO_FILE_BYTES } from '../macro/macro-set.js';
import { readRequestBody } from './request-body.js';

/** Boundaries and headers of the parts. */
const ENVELOPE_BYTES = 65_536;
const PART_NAME = 'file';
const PART_TYPE = 'application/json';
/** Parts that are counted, to say that there are too many. */
const MOST_COUNTED_PARTS = 16;
/** What is parsed before it is looked at again whether that was enough. */
const PIECE_BYTES = 16_384;

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly type: string;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/**
 * The file of an upload (specification 4.4): multipart form data of one part, named `file`, of type application/json.
 * @param alsoTakes further parts that a form of ours has
 * @throws ServiceError SVC_ERR_MACRO_TYPE, SVC_ERR_MACRO_SIZE
 */
export async function uploadedFile(incoming: IncomingMessage): Promise<Buffer> {
  const { parts } = await multipartParts(incoming);
  const [part] = parts;
  if (part === undefined || parts.length > 1) {
    throw refused(
      `It has ${parts.length === 0 ? 'no part' : 'more than one part'}; one named "${PART_NAME}" is taken.`,
    );
  }
  if (part.name !== PART_NAME || !part.isFile) {
    throw refused(
      `Its part is ${part.isFile ? `named "${part.name.slice(0, 64)}"` : 'no file'}; a file named "${PART_NAME}" is taken.`,
    );
  }
  if (part.type !== PART_TYPE) throw refused(`Its part is of type "${part.type.slice(0, 64)}"; ${PART_TYPE} is taken.`);
  if (part.isCut) throw tooLarge();
  return part.bytes;
}

/** A form of ours with a file in it. */
export interface UploadForm {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Undefined where none was chosen. */
  readonly file: Buffer | undefined;
}

/**
 * A form of the portal: browsers name the type of a file as they please.
 * @throws ServiceError as `uploadedFile` does
 */
export async function uploadForm(incoming: IncomingMessage): Promise<UploadForm> {
  const { parts } = await multipartParts(incoming);
  const fields = new Map<string, string[]>();
  for (const { name, isFile, bytes } of parts)
    if (!isFile) fields.set(name, [...(fields.get(name) ?? []), bytes.toString()]);
  const file = parts.find(({ name, isFile }) => isFile && name === PART_NAME);
  if (file?.isCut === true) throw tooLarge();
  return { fields, file: file === undefined || file.bytes.length === 0 ? undefined : file.bytes };
}

async function multipartParts(incoming: IncomingMessage): Promise<{ readonly parts: readonly Part[] }> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^multipart\/form-data *;/i.test(type)) throw refused('It is no multipart/form-data.');
  let body: Buffer;
  try {
    body = await readRequestBody(incoming, MOST_MACRO_FILE_BYTES + ENVELOPE_BYTES);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SVC_ERR_REQUEST_BODY_SIZE') throw tooLarge();
    throw error;
  }
  return { parts: await parse(type, body) };
}

function parse(type: string, body: Buffer): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(refused(`It is malformed: ${error instanceof Error ? error.message : 'no multipart'}.`));
    let busboy: InstanceType<typeof Busboy>;
    try {
      busboy = new Busboy({
        headers: { 'content-type': type },
        isPartAFile: (_name, _type, fileName) => fileName !== undefined,
        limits: {
          fileSize: MOST_MACRO_FILE_BYTES,
          fieldSize: ENVELOPE_BYTES,
          parts: MOST_COUNTED_PARTS,
          headerPairs: 32,
        },
      });
    } catch (error) {
      fail(error);
      return;
    }
    const parts: Part[] = [];
    // busboy's types do not say that a part may have no name
    busboy.on('file', (name: string | undefined, stream, _fileName, _encoding, partType) => {
      const chunks: Buffer[] = [];
      let isCut = false;
      stream.on('limit', () => {
        isCut = true;
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', fail);
      stream.on('end', () =>
        parts.push({
          name: name ?? '',
          isFile: true,
          type: partType.toLowerCase(),
          bytes: Buffer.concat(chunks),
          isCut,
        }),
      );
    });
    busboy.on('field', (name: string | undefined, value, _nameCut, valueCut) =>
      parts.push({ name: name ?? '', isFile: false, type: '', bytes: Buffer.from(value), isCut: valueCut }),
    );
    busboy.on('error', fail);
    busboy.on('finish', () => resolve(parts));
    let isTooMany = false;
    busboy.once('partsLimit', () => {
      isTooMany = true;
      reject(refused(`It has more than ${MOST_COUNTED_PARTS} parts.`));
    });
    // thousands of parts take long: nothing is read of those that nobody counts
    for (let start = 0; start < body.length && !isTooMany; start += PIECE_BYTES) {
      busboy.write(body.subarray(start, start + PIECE_BYTES));
    }
    if (!isTooMany) busboy.end();
  });
}

function tooLarge(): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_SIZE', { detail: `At most ${MOST_MACRO_FILE_BYTES} bytes are taken.` });
}

function refused(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_TYPE', { detail });
}
