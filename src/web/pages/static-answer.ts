import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StaticFile } from '../../templates/compiled-template.js';
import { acceptedRanges } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { staticHeaders } from '../http/response-headers.js';

const gzipped = promisify(gzip);
const brotliCompressed = promisify(brotliCompress);
/** Smallest result first. Browsers accept brotli only over TLS. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];
/** For smaller files, the additional headers cost more than compression saves. */
const LEAST_COMPRESSED_BYTES = 1_024;
const compressible = /^(?:text\/|application\/(?:javascript|json|xml)|image\/svg)/;
/** Each file is compressed once; the result is freed with the file. */
const compressed: Readonly<Record<Coding, WeakMap<Buffer, Promise<Buffer>>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

export async function staticAnswer(page: StaticFile, headers: IncomingHttpHeaders): Promise<Answer> {
  const varies = page.body.length >= LEAST_COMPRESSED_BYTES && compressible.test(page.contentType);
  const coding = varies ? codingFor(headers['accept-encoding']) : undefined;
  // each representation needs its own ETag
  const file = coding === undefined ? page : { ...page, etag: page.etag.replace(/"$/, `-${coding}"`) };
  const further = varies ? ['Vary', 'Accept-Encoding'] : [];
  const { inlineScripts } = page;
  if (isUnchanged(file, headers)) {
    const unchanged = [...staticHeaders(file, undefined), ...further];
    return { status: 304, headers: unchanged, body: Buffer.alloc(0), inlineScripts };
  }
  const body = coding === undefined ? page.body : await compressedAs(coding, page.body);
  if (coding !== undefined) further.push('Content-Encoding', coding);
  return { status: 200, headers: [...staticHeaders(file, body.length), ...further], body, inlineScripts };
}

function compressedAs(coding: Coding, body: Buffer): Promise<Buffer> {
  let result = compressed[coding].get(body);
  if (result === undefined) {
    result = coding === 'br' ? brotliCompressed(body, brotliOptions(body)) : gzipped(body, { level: 9 });
    compressed[coding].set(body, result);
  }
  return result;
}

function brotliOptions({ length }: Buffer) {
  return {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  };
}

/** The first coding with q above 0, also through `*` (RFC 9110, section 12.5.3). */
function codingFor(accepted: string | undefined): Coding | undefined {
  const ranges = acceptedRanges(accepted ?? '');
  const isTaken = (coding: string) =>
    ((ranges.find(({ name }) => name === coding) ?? ranges.find(({ name }) => name === '*'))?.quality ?? 0) > 0;
  return codings.find(isTaken);
}

/** If-None-Match takes precedence over If-Modified-Since. */
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
  // HTTP dates have no fractions of a second; an invalid date (NaN) compares false
  return Math.floor(lastModified.getTime() / 1_000) * 1_000 <= Date.parse(since);
}

function opaqueTag(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}
