import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-openssl-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Bytes of key and of block. */
export const cipherLengths: Readonly<Record<string, readonly [key: number, block: number]>> = {
  DES: [8, 8],
  '2TDEA': [16, 8],
  '3TDEA': [24, 8],
  'AES-128': [16, 16],
  'AES-192': [24, 16],
  'AES-256': [32, 16],
};

export function openssl(words: readonly string[], input: Uint8Array = new Uint8Array(0)): Buffer {
  return execFileSync('openssl', words as string[], { input, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** The file of a public key that OpenSSL reads. */
export function publicKeyFile(modulus: string, exponent: string): string {
  const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) }, format: 'jwk' });
  const file = join(folder, `${modulus.slice(0, 16)}.pem`);
  writeFileSync(file, key.export({ type: 'spki', format: 'pem' }));
  return file;
}

/** What a browser would send as SESSKEY, as hex. */
export function wrapWithOpenssl(file: string, key: Uint8Array, oaep = false): string {
  const padding = oaep
    ? ['-pkeyopt', 'rsa_padding_mode:oaep', '-pkeyopt', 'rsa_oaep_md:sha256', '-pkeyopt', 'rsa_mgf1_md:sha256']
    : ['-pkeyopt', 'rsa_padding_mode:pkcs1'];
  return openssl(['pkeyutl', '-encrypt', '-pubin', '-inkey', file, ...padding], key).toString('hex');
}

const opensslNames: Readonly<Record<string, string>> = {
  DES: 'des',
  '2TDEA': 'des-ede',
  '3TDEA': 'des-ede3',
  'AES-128': 'aes-128',
  'AES-192': 'aes-192',
  'AES-256': 'aes-256',
};

/** `openssl enc` with a cipher of the CRYPTn table; PKCS7 unless told otherwise. */
export function cryptWithOpenssl(
  direction: 'encrypt' | 'decrypt',
  cipher: string,
  chaining: 'CBC' | 'ECB',
  key: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
  padded = true,
): Buffer {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return openssl(
    [
      'enc',
      ...(direction === 'encrypt' ? ['-e'] : ['-d']),
      `-${opensslName(cipher, chaining)}`,
      '-provider',
      'legacy',
      '-provider',
      'default',
      '-K',
      hex(key),
      ...(chaining === 'CBC' ? ['-iv', hex(iv)] : []),
      ...(padded ? [] : ['-nopad']),
    ],
    data,
  );
}

function opensslName(cipher: string, chaining: string): string {
  const name = opensslNames[cipher] ?? '';
  // OpenSSL has no des-ede-ecb: without a chaining the name means ECB
  return chaining === 'ECB' && name.startsWith('des-ede') ? name : `${name}-${chaining.toLowerCase()}`;
}
