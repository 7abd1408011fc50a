import forge from 'node-forge/lib/forge.js';
import 'node-forge/lib/aes.js';
import 'node-forge/lib/des.js';
import 'node-forge/lib/util.js';
import { randomBytes } from './secure-random.js';
import { concatenate } from './wire-encoding.js';

/** Symmetric cipher of the CRYPTn table (reference 3.1). Lengths in bytes. */
export interface SymmetricCipher {
  readonly keyBytes: number;
  readonly blockBytes: number;
  readonly family: 'AES' | '3DES';
  /** DES and 2TDEA are 3TDEA with repeated key parts (NIST SP 800-67, section 3.2). */
  readonly keyFor: (key: Uint8Array) => Uint8Array;
}

export const symmetricCiphers: ReadonlyMap<string, SymmetricCipher> = new Map([
  ['DES', des(8, (key) => concatenate(key, key, key))],
  ['2TDEA', des(16, (key) => concatenate(key, key.subarray(0, 8)))],
  ['3TDEA', des(24, (key) => key.slice())],
  ['AES-128', aes(128)],
  ['AES-192', aes(192)],
  ['AES-256', aes(256)],
]);

function des(keyBytes: number, keyFor: SymmetricCipher['keyFor']): SymmetricCipher {
  return { keyBytes, blockBytes: 8, family: '3DES', keyFor };
}

function aes(bits: number): SymmetricCipher {
  return { keyBytes: bits / 8, blockBytes: 16, family: 'AES', keyFor: (key) => key.slice() };
}

/** NIST SP 800-38D: a nonce of 96 bits. The tag of forge has 128 bits. */
const GCM_NONCE_BYTES = 12;

/** @param iv one block; ignored for ECB */
export function encryptBlocks(
  cipher: SymmetricCipher,
  chaining: 'CBC' | 'ECB',
  key: Uint8Array,
  iv: Uint8Array,
  blocks: Uint8Array,
): Uint8Array {
  const encryption = encryptionUnder(cipher, chaining, key);
  encryption.start({ iv: bufferOf(iv) });
  // finish() would only add padding
  encryption.update(bufferOf(blocks));
  return bytesIn(encryption.output);
}

/**
 * Encrypts with a random nonce.
 * @param additional additional authenticated data
 * @returns nonce ‖ ciphertext ‖ tag
 */
export function sealGcm(
  cipher: SymmetricCipher,
  key: Uint8Array,
  value: Uint8Array,
  additional: Uint8Array,
): Uint8Array {
  const nonce = randomBytes(GCM_NONCE_BYTES);
  const encryption = encryptionUnder(cipher, 'GCM', key);
  encryption.start({ iv: bufferOf(nonce), additionalData: bufferOf(additional).getBytes() });
  encryption.update(bufferOf(value));
  encryption.finish();
  return concatenate(nonce, bytesIn(encryption.output), bytesIn(encryption.mode.tag));
}

function encryptionUnder(cipher: SymmetricCipher, chaining: 'CBC' | 'ECB' | 'GCM', key: Uint8Array) {
  const whole = cipher.keyFor(key);
  // forge has no DES in GCM mode; `profileOf` rejects the combination
  const algorithm = `${cipher.family}-${chaining}` as forge.cipher.Algorithm;
  const encryption = forge.cipher.createCipher(algorithm, bufferOf(whole));
  whole.fill(0);
  return encryption;
}

function bufferOf(bytes: Uint8Array): forge.util.ByteBuffer {
  const buffer = forge.util.createBuffer();
  // createBuffer(bytes) treats a Uint8Array of another frame as empty
  for (const byte of bytes) buffer.putByte(byte);
  return buffer;
}

function bytesIn(buffer: forge.util.ByteBuffer): Uint8Array {
  return forge.util.binary.raw.decode(buffer.getBytes());
}
