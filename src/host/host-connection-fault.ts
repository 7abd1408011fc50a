type HostConnectionFaultKind =
  | 'refused'
  | 'unreachable'
  | 'unknownHost'
  | 'timeLimit'
  | 'tls'
  | 'lost'
  | 'tooSlow'
  | 'stopped';

/** Why there is no connection to a host, in words for the one who reads the log at night. */
export class HostConnectionFault extends Error {
  override readonly name = 'HostConnectionFault';
  readonly kind: HostConnectionFaultKind;

  constructor(kind: HostConnectionFaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

interface SystemError {
  readonly code?: unknown;
  readonly message?: unknown;
}

const kindOfCode: Readonly<Record<string, HostConnectionFaultKind>> = {
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

const wordsOfKind: Readonly<Record<HostConnectionFaultKind, string>> = {
  refused: 'nothing listens there',
  unreachable: 'there is no way to it',
  unknownHost: 'its name is not known',
  timeLimit: 'it did not answer in time',
  tls: 'TLS failed',
  lost: 'the connection was cut',
  tooSlow: 'it does not take what is sent to it',
  stopped: 'the session was stopped',
};

/** What to do about the certificate faults that are met in practice. */
const adviceOfTlsCode: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: give that certificate as tls.ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not known here: give that as tls.ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes from an authority that is not known here: give that as tls.ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate comes from an authority that is not known here: give that as tls.ca',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: give that name as tls.serverName',
};

/** @param where `host:port`, as the operator wrote it */
export function connectionFaultOf(error: unknown, where: string, isHandshake: boolean): HostConnectionFault {
  if (error instanceof HostConnectionFault) return error;
  const { code, message } = (error ?? {}) as SystemError;
  const text = typeof code === 'string' ? code : '';
  const advice = adviceOfTlsCode[text];
  const isTls = advice !== undefined || text.startsWith('ERR_SSL') || text.startsWith('ERR_TLS');
  const known = kindOfCode[text];
  const kind = isTls || (isHandshake && known === undefined) ? 'tls' : (known ?? 'lost');
  const detail = advice ?? (text === '' ? String(message ?? error) : text);
  const words = kind === 'tls' ? `${wordsOfKind.tls}: ${detail}` : `${wordsOfKind[kind]} (${detail})`;
  return new HostConnectionFault(kind, `${where}: ${words}`, error);
}

export function connectionFault(kind: HostConnectionFaultKind, where: string): HostConnectionFault {
  return new HostConnectionFault(kind, `${where}: ${wordsOfKind[kind]}`);
}
