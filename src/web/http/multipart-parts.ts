import { setImmediate } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { type Reason, reasonText } from '../../lib/locale.js';

export interface MultipartPart {
  readonly name: string;
  readonly fileName: string | undefined;
  /** Media type in lower case, without parameters. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

interface MultipartLimits {
  readonly parts: number;
  readonly fileBytes: number;
  readonly fieldBytes: number;
}

export class MultipartError extends Error {
  override readonly name = 'MultipartError';

  constructor(
    readonly kind: 'parts' | 'malformed',
    readonly reason: Reason,
  ) {
    super(reasonText(reason, 'en'));
  }
}

const MOST_PART_HEADERS = 32;
/** RFC 2046, section 5.1.1, allows 70. */
const LONGEST_BOUNDARY = 200;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i;
/** Bytes parsed before the loop checks for errors and yields to the event loop. */
const PIECE_BYTES = 16_384;

export function isMultipartForm(contentType: string): boolean {
  return /^multipart\/form-data *(?:;|$)/i.test(contentType);
}

/**
 * Parses multipart form data (RFC 7578). Field values are UTF-8 bytes.
 * @throws MultipartError
 */
export async function multipartParts(
  contentType: string,
  body: Buffer,
  limits: MultipartLimits,
): Promise<readonly MultipartPart[]> {
  const parts: MultipartPart[] = [];
  let fault: MultipartError | undefined;
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const refuse = (found: MultipartError) => {
    fault ??= found;
    settle();
  };
  const fail = () => refuse(malformed({ code: 'multipart.cut' }));
  const busboy = openBusboy(contentType, limits);
  // busboy's types omit that a part may have no name
  busboy.on('file', (name: string | undefined, stream, fileName: string | undefined, _encoding, type) => {
    const chunks: Buffer[] = [];
    let isCut = false;
    stream.on('limit', () => {
      isCut = true;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', fail);
    stream.on('end', () =>
      parts.push({ name: name ?? '', fileName: fileName ?? '', type, bytes: Buffer.concat(chunks), isCut }),
    );
  });
  busboy.on('field', (name: string | undefined, value, _nameCut, isCut) =>
    parts.push({ name: name ?? '', fileName: undefined, type: '', bytes: Buffer.from(value), isCut }),
  );
  busboy.on('error', fail);
  busboy.once('partsLimit', () =>
    refuse(new MultipartError('parts', { code: 'multipart.parts', values: { most: limits.parts } })),
  );
  busboy.on('finish', settle);
  for (let start = 0; start < body.length && fault === undefined; start += PIECE_BYTES) {
    busboy.write(body.subarray(start, start + PIECE_BYTES));
    await setImmediate();
  }
  if (fault === undefined) busboy.end();
  await settled;
  if (fault !== undefined) throw fault;
  return parts;
}

function openBusboy(
  contentType: string,
  { parts, fileBytes, fieldBytes }: MultipartLimits,
): InstanceType<typeof Busboy> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? '';
  if (boundary === '') throw malformed({ code: 'multipart.noBoundary' });
  if (boundary.length > LONGEST_BOUNDARY) {
    throw malformed({ code: 'multipart.longBoundary', values: { most: LONGEST_BOUNDARY } });
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      limits: { fileSize: fileBytes, fieldSize: fieldBytes, parts, headerPairs: MOST_PART_HEADERS },
    });
  } catch {
    throw malformed({ code: 'multipart.type' });
  }
}

function malformed(reason: Reason): MultipartError {
  return new MultipartError('malformed', reason);
}
