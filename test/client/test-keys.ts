import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEncryptionParameters } from '../../client/crypto/field-encryption.js';
import { readCryptDefinition } from '../../src/crypto/crypt-definition.js';
import { KeyPair } from '../../src/crypto/key-pair.js';
import { SessionCrypto } from '../../src/crypto/session-crypto.js';
import { soundValue } from '../../src/lib/read-outcome.js';
import { openssl } from '../crypto/openssl.js';
import { needCommand } from '../support/need.js';
import { fixture } from '../support/project.js';

export interface TestKey {
  readonly file: string;
  readonly pem: Buffer;
  readonly modulus: string;
  readonly exponent: string;
}

export function parametersOf(tuple: string) {
  const parameters = parseEncryptionParameters(
    tuple
      .split(',')
      .map((member) => `'${member}'`)
      .join(','),
  );
  if (parameters === undefined) throw new Error('no parameters');
  return parameters;
}

/** The server's side of a tuple, with that key. */
export function serverWith(tuple: string, { pem, modulus, exponent }: TestKey): SessionCrypto {
  const definition = soundValue(readCryptDefinition(tuple.split(',')));
  const session = new SessionCrypto(definition);
  session.adopt(new KeyPair(createPrivateKey(pem), modulus, exponent));
  return session;
}

/** Of a `describe`: RSA keys of OpenSSL, one of each length. The longest take it seconds to make, and are always the same. */
export function testKeys(): (bits: number) => TestKey {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-client-'));
  const keys = new Map<number, TestKey>();

  before(function () {
    needCommand(this, 'openssl');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function keyOf(bits: number): TestKey {
    const known = keys.get(bits);
    if (known !== undefined) return known;
    const made = fixture('keys', `rsa-${bits}.pem`);
    const pem = existsSync(made) ? readFileSync(made) : openssl(['genrsa', String(bits)]);
    const file = join(folder, `${bits}.pem`);
    writeFileSync(file, pem);
    const { n = '', e = '' } = createPublicKey(pem).export({ format: 'jwk' });
    const hex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex');
    const key = { file, pem, modulus: hex(n), exponent: hex(e) };
    keys.set(bits, key);
    return key;
  }

  return keyOf;
}

export function unwrapWithOpenssl({ file }: TestKey, wrapped: Uint8Array, oaep: boolean): Buffer {
  const padding = oaep
    ? ['-pkeyopt', 'rsa_padding_mode:oaep', '-pkeyopt', 'rsa_oaep_md:sha256', '-pkeyopt', 'rsa_mgf1_md:sha256']
    : ['-pkeyopt', 'rsa_padding_mode:pkcs1'];
  return openssl(['pkeyutl', '-decrypt', '-inkey', file, ...padding], wrapped);
}
