import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { StaticFile } from '../../template/found-file.js';
import type { Answer } from '../http/answer.js';
import { staticHeaders } from '../http/response-headers.js';

const compress = promisify(gzip);
/** Below, the headers that compression needs are longer than what it saves. */
const LEAST_COMPRESSED_BYTES = 1_024;
const compressible = /^(?:text\/|application\/(?:javascript|json|xml)|image\/svg)/;
/** Each file is compressed once, and forgotten with it. */
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

/** A file as it is, compressed where the client takes that; or 304 where it has it already (RFC 9110 section 13.1). */
export async function staticAnswer(page: StaticFile, headers: IncomingHttpHeaders): Promise<Answer> {
  const varies = page.body.length >= LEAST_COMPRESSED_BYTES && compressible.test(page.contentType);
  const isCompressed = varies && takesGzip(headers['accept-encoding']);
  // another content under the same name: with a tag of its own
  const file = isCompressed ? { ...page, etag: page.etag.replace(/"$/, '-gzip"') } : page;
  const further = varies ? ['Vary', 'Accept-Encoding'] : [];
  if (isUnchanged(file, headers)) {
    return { status: 304, headers: [...staticHeaders(file, undefined), ...further], body: Buffer.alloc(0) };
  }
  const body = isCompressed ? await gzipped(page.body) : page.body;
  if (isCompressed) further.push('Content-Encoding', 'gzip');
  return { status: 200, headers: [...staticHeaders(file, body.length), ...further], body };
}

function gzipped(body: Buffer): Promise<Buffer> {
  let result = compressed.get(body);
  if (result === undefined) {
    result = compress(body);
    compressed.set(body, result);
  }
  return result;
}

/** `gzip` or `*` without `q=0` (RFC 9110 section 12.5.3). */
function takesGzip(accepted: string | undefined): boolean {
  const codings = (accepted ?? '').toLowerCase().split(',');
  const quality = (name: string) => {
    const coding = codings.find((candidate) => candidate.split(';')[0]?.trim() === name);
    return coding === undefined ? undefined : !/;\s*q=0(?:\.0*)?\s*$/.test(coding);
  };
  return quality('gzip') ?? quality('*') ?? false;
}

/** If-None-Match decides where it is present; If-Modified-Since is then not looked at. */
function isUnchanged(
  { etag, lastModified }: Pick<StaticFile, 'etag' | 'lastModified'>,
  headers: IncomingHttpHeaders,
): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) {
    return noneMatch
      .split(',')
      .some((candidate) => candidate.trim() === '*' || opaqueTag(candidate) === opaqueTag(etag));
  }
  const since = headers['if-modified-since'];
  if (since === undefined) return false;
  // HTTP dates have no fractions of a second; an unreadable date (NaN) compares false
  return Math.floor(lastModified.getTime() / 1_000) * 1_000 <= Date.parse(since);
}

function opaqueTag(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}
