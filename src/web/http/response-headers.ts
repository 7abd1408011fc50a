import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';

const SPECIFIED_LENGTH_DIGITS = 8;

let dateSecond = Number.NaN;
let dateHeader = '';

function httpDateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateHeader = new Date(second * 1_000).toUTCString();
  }
  return dateHeader;
}

export function nextMidnight(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toUTCString();
}

/**
 * Headers of a dynamic answer, as a flat list in the order, spelling and padding of specification 4.1: Date, Expires,
 * Content-length (at least 8 digits), Content-type (without parameters). The edge adds Server and the request ID.
 * @param expires undefined omits Expires
 */
export function dynamicHeaders(contentType: string, length: number, expires: string | undefined): string[] {
  const digits = String(length).padStart(SPECIFIED_LENGTH_DIGITS, '0');
  const rest = ['Content-length', digits, 'Content-type', contentType, ...HARDENING];
  return expires === undefined
    ? ['Date', httpDateNow(), ...rest]
    : ['Date', httpDateNow(), 'Expires', expires, ...rest];
}

export function streamedHeaders(contentType: string): string[] {
  return ['Date', httpDateNow(), 'Expires', '0', 'Content-type', contentType, ...HARDENING];
}

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

const SNIFFING_REFUSED = ['X-Content-Type-Options', 'nosniff'] as const;

const HARDENING = [...SNIFFING_REFUSED, 'Referrer-Policy', 'same-origin'] as const;

const STATIC_MAX_AGE_SECONDS = 300;

/**
 * Adds headers, replacing those of the same name. Headers that frame the message, and X-Content-Type-Options, cannot be
 * replaced.
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

export function attachmentDisposition(fileName: string): string {
  return fileDisposition('attachment', fileName);
}

/** `Content-Disposition` with an ASCII name and the real name (RFC 6266), or without both if the name is empty. */
export function fileDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  if (fileName === '') return kind;
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(Buffer.from(fileName).toString()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

export type CompleteHeaders = (headers: readonly string[], requestId: string, isOverTls?: boolean) => string[];

interface LineIdentity {
  readonly version: string;
  readonly line: Pick<InboundLineDefinition, 'tls' | 'answers'>;
}

/**
 * Adds the line's headers: Server first (specification 9.1), security headers and request ID before
 * X-Content-Type-Options. Headers set by the template stay.
 */
export function lineHeaders({ version, line: { tls, answers } }: LineIdentity): CompleteHeaders {
  const server = answers.server ? ['Server', `Sallyport/${version}`] : [];
  // HSTS (RFC 6797), sent only over TLS
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

function indexOf(headers: readonly string[], folded: string): number {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.length === folded.length && name.toLowerCase() === folded) return index;
  }
  return -1;
}
