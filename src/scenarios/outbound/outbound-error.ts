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
