import type { HostAddress } from '../../tn3270/host/host-connection.js';
import { HostConnectionError } from '../../tn3270/host/host-connection-error.js';
import type { HostProxy } from '../../tn3270/host/host-proxy.js';
import { lookupWords, systemErrorWords } from './system-error-words.js';

/** X509_V_ERR numbers of OpenSSL, by Node's names of them. */
const verificationNumbers: Readonly<Record<string, number>> = {
  CERT_NOT_YET_VALID: 9,
  CERT_HAS_EXPIRED: 10,
  DEPTH_ZERO_SELF_SIGNED_CERT: 18,
  SELF_SIGNED_CERT_IN_CHAIN: 19,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 20,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 21,
  INVALID_PURPOSE: 26,
};

/** Whatever Node and OpenSSL tell of an error. */
interface Cause {
  readonly code?: string;
  readonly message?: string;
  readonly syscall?: string;
  readonly reason?: string;
  readonly errors?: readonly Cause[];
}

/**
 * Why there is no connection, as s3270 says it.
 * @param host as it was asked for
 * @throws HostConnectionError
 */
export function failInWords(error: unknown, host: HostAddress, proxy: HostProxy | undefined): never {
  if (!(error instanceof HostConnectionError)) throw error;
  throw new HostConnectionError(error.kind, wordsOf(error, proxy ?? host, proxy !== undefined), error.cause);
}

function wordsOf({ kind, message, cause }: HostConnectionError, { host, port }: HostAddress, isProxy: boolean): string {
  // where all addresses of a name were tried, of the last one
  const { errors, ...all } = (cause ?? {}) as Cause;
  const { code = '', syscall } = errors?.at(-1) ?? all;
  if (kind === 'unknownHost') return `${host}/${port}:\n${lookupWords(code)}`;
  if (kind === 'timeLimit' && cause === undefined) return 'Host connection timed out';
  if (syscall === 'connect') {
    return `Connect() to ${isProxy ? 'proxy ' : ''}${host}, port ${port}: ${systemErrorWords({ code, message })}`;
  }
  return kind === 'tls' ? `TLS: ${tlsWords((cause ?? {}) as Cause)}` : message;
}

function tlsWords({ code = '', message = '', reason }: Cause): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${UNVERIFIED}\nhostname mismatch (62)\nPossibly use SubjectNames() to list the host cert names`;
  }
  const number = verificationNumbers[code];
  return number === undefined
    ? `SSL_connect failed -1:\n${reason ?? message}`
    : `${UNVERIFIED}\n${message.replace(ADVICE_OF_NODE, '')} (${number})`;
}

const UNVERIFIED = 'Host certificate verification failed:';
/** Node 24.21 writes it behind OpenSSL's words. */
const ADVICE_OF_NODE = /; if the root CA .*/;
