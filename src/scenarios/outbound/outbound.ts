import type { StopSignal } from '../../lib/stop-signal.js';

export interface OutboundRequest {
  readonly method: string;
  /** `host:port`, always with port; also the `Host` header. */
  readonly site: string | undefined;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  readonly traced?: TracedCaller;
}

interface TracedCaller {
  readonly id: string;
  /** Secret values of the caller, masked everywhere in the trace. Called only if the line is traced. */
  secrets(): Iterable<string>;
}

export interface OutboundReply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export interface OutboundCaller {
  /**
   * Sends a request over an outbound line and reads the whole reply. Rejects on every failure: unknown line, refused or
   * broken connection, MAXTIME exceeded, reply too long or broken, `signal` aborted. An HTTP error status is not a
   * failure. Redirects are not followed.
   *
   * @param line internal name of the outbound line
   * @param maxTimeMilliseconds MAXTIME of the send; undefined: only the run's own time limit (the signal) applies
   */
  call(
    line: string,
    request: OutboundRequest,
    maxTimeMilliseconds: number | undefined,
    signal: StopSignal,
  ): Promise<OutboundReply>;
}

export interface OutboundMessage {
  readonly method: string;
  readonly path: string;
  /** Name, value, name, value … */
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** The reference has only GET and POST. CONNECT and TRACE are not allowed. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/** Headers of the connection (RFC 9110, section 7.6.1; RFC 9112), which only the line may send. */
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

/** Visible ASCII without blanks, control characters, fragments, or characters that need percent-encoding. */
const PATH = /^\/[\x21\x22\x24-\x7e]*$/;
/** Token of RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: visible ASCII and Latin-1, blanks and tabs. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Checks the data of a scenario against injection of lines, headers and requests.
 *
 * @param siteName line and site for messages
 * @throws OutboundError with the reason `request`
 */
export function checkOutboundRequest(request: OutboundRequest, siteName: string): OutboundMessage {
  const refuse = (what: string): never => {
    throw new OutboundError('request', `${siteName}: ${what}`);
  };
  const { method, path, body } = request;
  if (!methods.has(method)) refuse('the method is not one of GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS');
  if (path.length > outboundRequestLimits.pathCharacters) refuse('the path is too long');
  if (!PATH.test(path)) refuse('the path does not begin with a slash, or contains a character that must be encoded');
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
    if (!HEADER_NAME.test(name)) refuse('a header name contains a character that is not allowed');
    if (connectionHeaders.has(name.toLowerCase())) refuse(`the header ${name} is written by the line itself`);
    if (!HEADER_VALUE.test(value)) refuse(`the value of the header ${name} contains a character that is not allowed`);
    flat.push(name, value);
  }
  return flat;
}

type OutboundErrorReason =
  | 'unknown line'
  | 'site'
  | 'request'
  /** Too many calls wait for a connection, or too many sites are in use. */
  | 'busy'
  | 'refused'
  /** The host name is unknown, there is no route to the host, or it does not accept the connection. */
  | 'unreachable'
  | 'tls'
  | 'time'
  | 'reply size'
  | 'reply headers'
  /** The connection broke, or the reply is not HTTP. */
  | 'reply broken'
  | 'aborted'
  | 'stopping';

/** The message is safe to log: it never contains a body, a header value or a path. */
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

const reasonOfCode: Readonly<Record<string, readonly [OutboundErrorReason, string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused'],
  ENOTFOUND: ['unreachable', 'the host name is unknown'],
  EAI_AGAIN: ['unreachable', 'the host name could not be resolved'],
  EHOSTUNREACH: ['unreachable', 'there is no route to the host'],
  ENETUNREACH: ['unreachable', 'there is no route to the network of the host'],
  EADDRNOTAVAIL: ['unreachable', 'the address cannot be reached from here'],
  ETIMEDOUT: ['unreachable', 'the host does not answer'],
  UND_ERR_CONNECT_TIMEOUT: ['unreachable', 'the host does not answer'],
  UND_ERR_HEADERS_OVERFLOW: ['reply headers', 'the headers of the reply are too long'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['reply broken', 'the reply does not have its declared length'],
  UND_ERR_SOCKET: ['reply broken', 'the connection was closed before the reply was complete'],
  ECONNRESET: ['reply broken', 'the connection was reset'],
  EPIPE: ['reply broken', 'the connection was closed before the request was sent'],
  UND_ERR_INVALID_ARG: ['request', 'the request cannot be sent as given'],
};
const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO|^ERR_SSL|^ERR_TLS|^EPROTO$|HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)$/;

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
