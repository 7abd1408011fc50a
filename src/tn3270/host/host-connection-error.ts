type HostConnectionErrorKind =
  | 'refused'
  | 'unreachable'
  | 'unknownHost'
  | 'timeLimit'
  | 'tls'
  | 'protocol'
  | 'lost'
  | 'proxy'
  | 'tooSlow'
  | 'stopped';

export class HostConnectionError extends Error {
  override readonly name = 'HostConnectionError';
  readonly kind: HostConnectionErrorKind;

  constructor(kind: HostConnectionErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

interface SystemError {
  readonly code?: unknown;
  readonly message?: unknown;
}

const kindOfCode: Readonly<Record<string, HostConnectionErrorKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  ETIMEDOUT: 'timeLimit',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
};

const wordsOfKind: Readonly<Record<HostConnectionErrorKind, string>> = {
  refused: 'nothing listens there',
  unreachable: 'it is not reachable',
  unknownHost: 'its name is not known',
  timeLimit: 'it did not answer in time',
  tls: 'TLS failed',
  protocol: 'it speaks another protocol',
  lost: 'the connection was cut',
  proxy: 'its proxy does not connect to it',
  tooSlow: 'it does not accept the data that is sent',
  stopped: 'the session was stopped',
};

const adviceOfTlsCode: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: give that certificate as tls.ca',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate comes from an unknown authority: give the certificate of the authority as tls.ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes from an unknown authority: give the certificate of the authority as tls.ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate comes from an unknown authority: give the certificate of the authority as tls.ca',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: give that name as tls.serverName',
};

/** @param where `host:port`, as configured */
export function connectionErrorOf(error: unknown, where: string, isHandshake: boolean): HostConnectionError {
  if (error instanceof HostConnectionError) return error;
  const { code, message } = (error ?? {}) as SystemError;
  const text = typeof code === 'string' ? code : '';
  const advice = adviceOfTlsCode[text];
  const isTls = advice !== undefined || text.startsWith('ERR_SSL') || text.startsWith('ERR_TLS');
  const known = kindOfCode[text];
  const kind = isTls || (isHandshake && known === undefined) ? 'tls' : (known ?? 'lost');
  const detail = advice ?? (text === '' ? String(message ?? error) : text);
  const words = kind === 'tls' ? `${wordsOfKind.tls}: ${detail}` : `${wordsOfKind[kind]} (${detail})`;
  return new HostConnectionError(kind, `${where}: ${words}`, error);
}

const mismatches = {
  plain:
    'TLS is configured, but the port speaks plain TELNET: give the port for TLS, or set tls: false. If the host begins TLS with STARTTLS, set startTls: required',
  tls: 'the host has sent nothing, and its port speaks TLS: set tls: true, or give the port without TLS',
} as const;

export function protocolError(speaks: keyof typeof mismatches, where: string, cause?: unknown): HostConnectionError {
  return new HostConnectionError('protocol', `${where}: ${mismatches[speaks]}`, cause);
}

export function connectionError(kind: HostConnectionErrorKind, where: string): HostConnectionError {
  return new HostConnectionError(kind, `${where}: ${wordsOfKind[kind]}`);
}
