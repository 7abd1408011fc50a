import { constants } from 'node:crypto';
import { createSecureContext, DEFAULT_CIPHERS, getCiphers } from 'node:tls';

/**
 * Excludes CBC suites with HMAC (authentication over plain text) and static RSA key exchange, with which a leaked
 * private key decrypts recorded traffic.
 */
const WEAK = ':!kRSA:!SHA1:!SHA256:!SHA384';

/** Default of all TLS servers and clients. The `--tls-cipher-list` option of Node.js replaces it. */
export const TLS_CIPHERS =
  DEFAULT_CIPHERS === constants.defaultCoreCipherList ? `${DEFAULT_CIPHERS}${WEAK}` : DEFAULT_CIPHERS;

/** Without one of these names, Node.js disables TLS 1.3. */
const TLS13_CIPHERS = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';
const SEPARATORS = /[:, ]+/;
const TLS13_NAME = /^TLS_/;

/** @param written OpenSSL cipher string. TLS 1.3 stays enabled if the string has no TLS 1.3 suites. */
export function tlsCiphers(written: string | undefined): string {
  if (written === undefined) return TLS_CIPHERS;
  return written.split(SEPARATORS).some((name) => TLS13_NAME.test(name)) ? written : `${TLS13_CIPHERS}:${written}`;
}

/** OpenSSL ignores unknown names, so each name is checked. */
export function cipherStringFault(written: string): string | undefined {
  const unknown = written.split(SEPARATORS).find((part) => part !== '' && !isKnown(part));
  if (unknown !== undefined) return `expected cipher suites that OpenSSL knows, found "${unknown.slice(0, 64)}"`;
  const isEmpty = written.split(SEPARATORS).every((part) => part === '');
  return !isEmpty && isUsable(written) ? undefined : 'expected at least one cipher suite that may be used';
}

function isKnown(part: string): boolean {
  if (/^@(?:STRENGTH|SECLEVEL=[0-5])$/.test(part)) return true;
  const name = part.replace(/^[-+!]/, '');
  if (TLS13_NAME.test(name)) return getCiphers().includes(name.toLowerCase());
  // Suites without authentication or encryption are known only at the lowest security level.
  return name !== '' && isUsable(`${name}:@SECLEVEL=0`);
}

function isUsable(ciphers: string): boolean {
  try {
    createSecureContext({ ciphers });
    return true;
  } catch {
    return false;
  }
}
