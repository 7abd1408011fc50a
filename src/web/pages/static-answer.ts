import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { StaticFile } from '../../templates/compiled-template.js';
import { acceptedRanges } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { staticHeaders } from '../http/response-headers.js';

const gzipped = promisify(gzip);
const brotliCompressed = promisify(brotliCompress);
/** What a client may ask for, the smallest first. Browsers take brotli over TLS alone. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];
/** Below, the headers that compression needs are longer than what it saves. */
const LEAST_COMPRESSED_BYTES = 1_024;
const compressible = /^(?:text\/|application\/(?:javascript|json|xml)|image\/svg)/;
/** Each file is compressed once, and forgotten with it. */
const compressed: Readonly<Record<Coding, WeakMap<Buffer, Promise<Buffer>>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

/** A file as it is, compressed where the client takes that; or 304 where it has it already (RFC 9110 section 13.1). */
export async function staticAnswer(page: StaticFile, headers: IncomingHttpHeaders): Promise<Answer> {
  const varies = page.body.length >= LEAST_COMPRESSED_BYTES && compressible.test(page.contentType);
  const coding = varies ? codingFor(headers['accept-encoding']) : undefined;
  // another content under the same name: with a tag of its own
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

/** The smallest that is not refused: with `q=0`, or because only others are named (RFC 9110 section 12.5.3). */
function codingFor(accepted: string | undefined): Coding | undefined {
  const ranges = acceptedRanges(accepted ?? '');
  const isTaken = (coding: string) =>
    ((ranges.find(({ name }) => name === coding) ?? ranges.find(({ name }) => name === '*'))?.quality ?? 0) > 0;
  return codings.find(isTaken);
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
