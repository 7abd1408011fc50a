import type { StopSignal } from '../../lib/stop-signal.js';

/** The words in which a scenario calls a service over an outbound line. */
export interface OutboundRequest {
  readonly method: string;
  /** `host:port` as the scenario names it; the port is never left out. Also sent as the `Host` header. */
  readonly site: string | undefined;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** For traces of the line. */
  readonly traced?: TracedCaller;
}

interface TracedCaller {
  /** Of the request that the call is made for. */
  readonly id: string;
  /** What the caller has under names of secrets: it is masked wherever it stands. Asked where the line is traced. */
  secrets(): Iterable<string>;
}

export interface OutboundReply {
  readonly status: number;
  /** As sent; undefined if the reply has none. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export interface OutboundCaller {
  /**
   * Sends one request over an outbound line and reads the whole reply.
   * Rejects on every failure: unknown line, refused or broken connection, MAXTIME exceeded, reply too long or broken,
   * `signal` aborted. An HTTP error status is not a failure. Redirects are not followed.
   *
   * @param line internal name of the outbound line
   * @param maxTimeMilliseconds MAXTIME of the send; undefined: only the run's own time limit (the signal) counts
   */
  call(
    line: string,
    request: OutboundRequest,
    maxTimeMilliseconds: number | undefined,
    signal: StopSignal,
  ): Promise<OutboundReply>;
}

/** A request that was checked and can be put on the wire as it is. */
export interface OutboundMessage {
  readonly method: string;
  readonly path: string;
  /** Name, value, name, value … */
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** The reference knows GET and POST; the rest is plain HTTP. CONNECT and TRACE are not for scenarios. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/** Headers that belong to the connection (RFC 9110, section 7.6.1; RFC 9112): the line writes them itself. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

export const outboundRequestLimits = { pathCharacters: 16_384, headers: 64, headerCharacters: 16_384 } as const;

/** Visible ASCII: no blank, no control character, nothing that must be percent-encoded first; no fragment. */
const PATH = /^\/[\x21\x22\x24-\x7e]*$/;
/** RFC 9110, section 5.6.2: token. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: visible characters and Latin-1, blanks and tabs between. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Checks the data that a scenario sends, so that it cannot inject a line, a header or another request.
 *
 * @param siteName names line and site in messages
 * @throws OutboundError with the reason `request`
 */
export function checkOutboundRequest(request: OutboundRequest, siteName: string): OutboundMessage {
  const refuse = (what: string): never => {
    throw new OutboundError('request', `${siteName}: ${what}`);
  };
  const { method, path, body } = request;
  if (!methods.has(method)) refuse('the method is not one of GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS');
  if (path.length > outboundRequestLimits.pathCharacters) refuse('the path is too long');
  if (!PATH.test(path)) refuse('the path does not begin with a slash, or holds a character that must be encoded');
  return {
    method,
    path,
    headers: checkHeaders(request.headers, refuse),
    body: body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  };
}

function checkHeaders(headers: OutboundRequest['headers'], refuse: (what: string) => never): string[] {
  if (headers.length > outboundRequestLimits.headers) refuse('too many headers');
  const flat: string[] = [];
  let characters = 0;
  for (const [name, value] of headers) {
    characters += name.length + value.length;
    if (characters > outboundRequestLimits.headerCharacters) refuse('the headers are too long');
    if (!HEADER_NAME.test(name)) refuse('a header name holds a character that is not allowed');
    if (connectionHeaders.has(name.toLowerCase())) refuse(`the header ${name} is written by the line itself`);
    if (!HEADER_VALUE.test(value)) refuse(`the value of the header ${name} holds a character that is not allowed`);
    flat.push(name, value);
  }
  return flat;
}

/** Why an outbound call failed. */
type OutboundErrorReason =
  /** No outbound line of this name. */
  | 'unknown line'
  /** The site is missing or not `host:port`. */
  | 'site'
  /** Method, path, a header or the body cannot be sent as given. */
  | 'request'
  /** Too many calls wait for a connection, or too many sites are in use. */
  | 'busy'
  /** The connection was refused. */
  | 'refused'
  /** The host name is unknown, there is no route to the host, or it does not accept the connection. */
  | 'unreachable'
  /** The certificate or the TLS handshake was not acceptable. */
  | 'tls'
  /** MAXTIME is over. */
  | 'time'
  /** The body of the reply is longer than the line allows. */
  | 'reply size'
  /** The headers of the reply are longer than the line allows. */
  | 'reply headers'
  /** The connection broke, or the reply is not HTTP. */
  | 'reply broken'
  /** The caller's signal. */
  | 'aborted'
  /** The lines are closed. */
  | 'stopping';

/** A failed outbound call. The message is safe to log: it never contains a body, a header value or a path. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason: OutboundErrorReason,
    message: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** Codes of Node, OpenSSL and undici; TLS verification has too many to list. */
const reasonOfCode: Readonly<Record<string, readonly [OutboundErrorReason, string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused'],
  ENOTFOUND: ['unreachable', 'the host name is unknown'],
  EAI_AGAIN: ['unreachable', 'the host name could not be looked up'],
  EHOSTUNREACH: ['unreachable', 'there is no way to the host'],
  ENETUNREACH: ['unreachable', 'there is no way to the network of the host'],
  EADDRNOTAVAIL: ['unreachable', 'the address cannot be reached from here'],
  ETIMEDOUT: ['unreachable', 'the host does not answer'],
  UND_ERR_CONNECT_TIMEOUT: ['unreachable', 'the host does not answer'],
  UND_ERR_HEADERS_OVERFLOW: ['reply headers', 'the headers of the reply are too long'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['reply broken', 'the reply is not as long as it says'],
  UND_ERR_SOCKET: ['reply broken', 'the connection was closed before the reply was complete'],
  ECONNRESET: ['reply broken', 'the connection was reset'],
  EPIPE: ['reply broken', 'the connection was closed before the request was sent'],
  UND_ERR_INVALID_ARG: ['request', 'the request cannot be sent as given'],
};
const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO|^ERR_SSL|^ERR_TLS|^EPROTO$|HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)$/;

/** The failure that an error of the connection amounts to; `siteName` names line and site. */
export function outboundErrorOf(error: unknown, siteName: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const known = reasonOfCode[code];
  if (known) return new OutboundError(known[0], `${siteName}: ${known[1]} (${code})`, { cause: error });
  if (TLS_CODE.test(code)) {
    return new OutboundError('tls', `${siteName}: no trusted TLS connection (${code})`, { cause: error });
  }
  return new OutboundError('reply broken', `${siteName}: the reply is not valid HTTP (${code})`, { cause: error });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'no code';
}
