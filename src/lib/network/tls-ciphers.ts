import { constants } from 'node:crypto';
import { createSecureContext, DEFAULT_CIPHERS, getCiphers } from 'node:tls';

/**
 * Suites whose authentication tag is computed over the plain text (CBC with HMAC), and key exchange by static RSA: a private key
 * that leaks later would decrypt recorded traffic.
 */
const WEAK = ':!kRSA:!SHA1:!SHA256:!SHA384';

/** Suites of every TLS server and client of ours that names no others. `--tls-cipher-list` of Node replaces them. */
export const TLS_CIPHERS =
  DEFAULT_CIPHERS === constants.defaultCoreCipherList ? `${DEFAULT_CIPHERS}${WEAK}` : DEFAULT_CIPHERS;

/** Without one of these names Node would turn TLS 1.3 off. */
const TLS13_CIPHERS = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';
const SEPARATORS = /[:, ]+/;
const TLS13_NAME = /^TLS_/;

/** @param written an OpenSSL cipher string of the configuration; TLS 1.3 stays on if it names no suite of TLS 1.3 */
export function tlsCiphers(written: string | undefined): string {
  if (written === undefined) return TLS_CIPHERS;
  return written.split(SEPARATORS).some((name) => TLS13_NAME.test(name)) ? written : `${TLS13_CIPHERS}:${written}`;
}

/** The fault of an OpenSSL cipher string: OpenSSL itself ignores names that it does not know. */
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
  // suites without authentication or encryption are known, and need the lowest level
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
