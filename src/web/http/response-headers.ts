import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';

const SPECIFIED_LENGTH_DIGITS = 8;

let dateSecond = Number.NaN;
let dateHeader = '';

/** The Date header; made once a second. */
function httpDateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateHeader = new Date(second * 1_000).toUTCString();
  }
  return dateHeader;
}

/** The next midnight of the local calendar, as an HTTP date. */
export function nextMidnight(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toUTCString();
}

/**
 * Headers of a dynamic answer, as a flat list of names and values in the order, spelling and padding of specification
 * 4.1: Date, Expires, Content-length (8 digits at least), Content-type (bare). Server and the request id are the edge's.
 *
 * @param expires value of Expires; undefined: none
 */
export function dynamicHeaders(contentType: string, length: number, expires: string | undefined): string[] {
  const digits = String(length).padStart(SPECIFIED_LENGTH_DIGITS, '0');
  const rest = ['Content-length', digits, 'Content-type', contentType, ...HARDENING];
  return expires === undefined
    ? ['Date', httpDateNow(), ...rest]
    : ['Date', httpDateNow(), 'Expires', expires, ...rest];
}

/** Headers of a dynamic answer of which nobody knows how long it will be. */
export function streamedHeaders(contentType: string): string[] {
  return ['Date', httpDateNow(), 'Expires', '0', 'Content-type', contentType, ...HARDENING];
}

/** Headers of a file that is served as it is; `length` is undefined for an answer without a body (304). */
export function staticHeaders(
  file: { readonly contentType: string; readonly etag: string; readonly lastModified: Date },
  length: number | undefined,
): string[] {
  const headers = ['Date', httpDateNow()];
  if (length !== undefined) headers.push('Content-Length', String(length), 'Content-Type', file.contentType);
  headers.push(
    'ETag',
    file.etag,
    'Last-Modified',
    file.lastModified.toUTCString(),
    'Cache-Control',
    `max-age=${STATIC_MAX_AGE_SECONDS}`,
    ...HARDENING,
  );
  return headers;
}

/** No browser takes an answer for another type than it says. */
const SNIFFING_REFUSED = ['X-Content-Type-Options', 'nosniff'] as const;

const HARDENING = [...SNIFFING_REFUSED, 'Referrer-Policy', 'same-origin'] as const;

/** How long a browser may use a static file without asking again. */
const STATIC_MAX_AGE_SECONDS = 300;

/**
 * The list with further headers, which take the place of those of the same name. Headers that frame the message, and
 * the one that every answer has, are not let through.
 */
export function withHeaders(headers: readonly string[], further: readonly (readonly [string, string])[]): string[] {
  if (further.length === 0) return [...headers];
  const allowed = further.filter(([name]) => !fixedHeaders.has(name.toLowerCase()));
  const replaced = new Set(allowed.map(([name]) => name.toLowerCase()));
  const result: string[] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!replaced.has(name.toLowerCase())) result.push(name, headers[index + 1] ?? '');
  }
  for (const [name, value] of allowed) result.push(name, value);
  return result;
}

const fixedHeaders = new Set([
  'x-content-type-options',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'upgrade',
]);

/** `Content-Disposition` of a download. */
export function attachmentDisposition(fileName: string): string {
  return fileDisposition('attachment', fileName);
}

/** `Content-Disposition` (RFC 6266): a plain ASCII name, and the real one beside it; none where it is empty. */
export function fileDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  if (fileName === '') return kind;
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(Buffer.from(fileName).toString()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Gives the headers of an answer, with those that every answer of the line has. */
export type CompleteHeaders = (headers: readonly string[], requestId: string, isOverTls?: boolean) => string[];

interface LineIdentity {
  /** Of the product. */
  readonly version: string;
  readonly line: Pick<InboundLineDefinition, 'tls' | 'answers'>;
}

/**
 * What a line says in every answer: Server first (specification 9.1), the request id and what hardens browsers in front of
 * X-Content-Type-Options, where that is. A header that the answer has already, because its template sets it, stays as it is.
 */
export function lineHeaders({ version, line: { tls, answers } }: LineIdentity): CompleteHeaders {
  const server = answers.server ? ['Server', `Sallyport/${version}`] : [];
  // how long browsers keep to TLS (RFC 6797): told over TLS alone
  const hstsSeconds = tls?.hstsSeconds ?? answers.hstsSeconds;
  const maxAge = hstsSeconds === undefined ? undefined : `max-age=${hstsSeconds}`;
  const further = Object.entries(answers.headers).map(([name, value]) => ({ name, folded: name.toLowerCase(), value }));
  return (headers, requestId, isOverTls = tls !== undefined) => {
    const complete = indexOf(headers, 'server') >= 0 ? [] : [...server];
    const sniffing = indexOf(headers, 'x-content-type-options');
    const end = sniffing < 0 ? headers.length : sniffing;
    for (let index = 0; index < end; index++) complete.push(headers[index] ?? '');
    if (maxAge !== undefined && isOverTls && indexOf(headers, 'strict-transport-security') < 0)
      complete.push('Strict-Transport-Security', maxAge);
    for (const { name, folded, value } of further) if (indexOf(headers, folded) < 0) complete.push(name, value);
    if (indexOf(headers, 'x-request-id') < 0) complete.push('X-Request-Id', requestId);
    if (sniffing < 0) complete.push(...SNIFFING_REFUSED);
    for (let index = end; index < headers.length; index++) complete.push(headers[index] ?? '');
    return complete;
  };
}

/** @param folded name in lower case */
function indexOf(headers: readonly string[], folded: string): number {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.length === folded.length && name.toLowerCase() === folded) return index;
  }
  return -1;
}
