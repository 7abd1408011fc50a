import type { Detail, Reason } from '../../lib/locale.js';
import { DetailedError } from '../../lib/reasons.js';

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

export class HostConnectionError extends DetailedError {
  override readonly name = 'HostConnectionError';
  readonly kind: HostConnectionErrorKind;

  constructor(kind: HostConnectionErrorKind, detail: Detail, cause?: unknown) {
    super(detail, { cause });
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

const certificateReasons: Readonly<Record<string, Reason['code']>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate.selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate.unknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate.unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate.unknownAuthority',
  CERT_HAS_EXPIRED: 'certificate.expired',
  CERT_NOT_YET_VALID: 'certificate.notYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate.otherName',
};

/** @param where `host:port`, as configured */
export function connectionErrorOf(error: unknown, where: string, isHandshake: boolean): HostConnectionError {
  if (error instanceof HostConnectionError) return error;
  const { code: systemCode, message } = (error ?? {}) as SystemError;
  const text = typeof systemCode === 'string' ? systemCode : '';
  const certificate = certificateReasons[text];
  const isTls = certificate !== undefined || text.startsWith('ERR_SSL') || text.startsWith('ERR_TLS');
  const known = kindOfCode[text];
  const kind = isTls || (isHandshake && known === undefined) ? 'tls' : (known ?? 'lost');
  const code = text === '' ? String(message ?? error) : text;
  if (kind === 'tls') {
    const problem: Reason = {
      code: 'connection.tls',
      values: { problem: certificate === undefined ? code : { code: certificate } },
    };
    return new HostConnectionError(kind, { code: 'connection.of', values: { host: where, problem } }, error);
  }
  const values = { host: where, problem: problemOf(kind), code };
  return new HostConnectionError(kind, { code: 'connection.withCode', values }, error);
}

const mismatches = { plain: 'connection.plainPort', tls: 'connection.tlsPort' } as const;

export function protocolError(speaks: keyof typeof mismatches, host: string, cause?: unknown): HostConnectionError {
  const problem: Reason = { code: mismatches[speaks] };
  return new HostConnectionError('protocol', { code: 'connection.of', values: { host, problem } }, cause);
}

export function connectionError(kind: Exclude<HostConnectionErrorKind, 'tls'>, host: string): HostConnectionError {
  return new HostConnectionError(kind, { code: 'connection.of', values: { host, problem: problemOf(kind) } });
}

function problemOf(kind: Exclude<HostConnectionErrorKind, 'tls'>): Reason {
  return { code: `connection.${kind}` };
}
