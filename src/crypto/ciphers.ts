import { createDecipheriv } from 'node:crypto';

/** A symmetric cipher of the CRYPTn table (reference 3.1). */
export interface FieldCipher {
  readonly keyBytes: number;
  readonly blockBytes: number;
  /** In bits (NIST SP 800-57 part 1, table 2). */
  readonly strength: number;
  /** OpenSSL's name of the cipher, without the chaining. */
  readonly family: string;
  /** Key for OpenSSL: DES and 2TDEA are 3TDEA with repeated key parts (NIST SP 800-67, section 3.2). */
  readonly keyFor: (key: Uint8Array) => Uint8Array;
}

const asItIs = (key: Uint8Array) => key;

export const ciphers: ReadonlyMap<string, FieldCipher> = new Map([
  ['DES', des(8, 56, (key) => Buffer.concat([key, key, key]))],
  ['2TDEA', des(16, 80, (key) => Buffer.concat([key, key.subarray(0, 8)]))],
  ['3TDEA', des(24, 112, asItIs)],
  ['AES-128', aes(128)],
  ['AES-192', aes(192)],
  ['AES-256', aes(256)],
]);

function des(keyBytes: number, strength: number, keyFor: FieldCipher['keyFor']): FieldCipher {
  return { keyBytes, blockBytes: 8, strength, family: 'des-ede3', keyFor };
}

function aes(bits: number): FieldCipher {
  return { keyBytes: bits / 8, blockBytes: 16, strength: bits, family: `aes-${bits}`, keyFor: asItIs };
}

export type Chaining = 'CBC' | 'ECB' | 'GCM';

/** NIST SP 800-38D: a nonce of 96 bits and a tag of 128. */
const GCM_NONCE_BYTES = 12;
const GCM_TAG_BYTES = 16;

/**
 * Keeps the padding.
 * @param iv of the block length; ignored for ECB
 * @throws Error if the length is 0 or not a multiple of the block length
 */
export function decryptBlocks(
  cipher: FieldCipher,
  chaining: 'CBC' | 'ECB',
  key: Uint8Array,
  iv: Uint8Array,
  blocks: Uint8Array,
): Buffer {
  if (blocks.length === 0 || blocks.length % cipher.blockBytes !== 0) throw new Error('not whole blocks');
  const name = `${cipher.family}-${chaining.toLowerCase()}`;
  const decipher = createDecipheriv(name, cipher.keyFor(key), chaining === 'ECB' ? null : iv);
  decipher.setAutoPadding(false);
  return joined(decipher.update(blocks), decipher.final());
}

/**
 * @param sealed nonce ‖ ciphertext ‖ tag
 * @throws Error if the key or the additional data differs, or the data was changed
 */
export function decryptGcm(cipher: FieldCipher, key: Uint8Array, sealed: Uint8Array, additional: Uint8Array): Buffer {
  if (sealed.length < GCM_NONCE_BYTES + GCM_TAG_BYTES) throw new Error('too short');
  const name = `${cipher.family}-gcm` as 'aes-256-gcm';
  const decipher = createDecipheriv(name, key, sealed.subarray(0, GCM_NONCE_BYTES), { authTagLength: GCM_TAG_BYTES });
  decipher.setAAD(additional);
  decipher.setAuthTag(sealed.subarray(-GCM_TAG_BYTES));
  const clear = decipher.update(sealed.subarray(GCM_NONCE_BYTES, -GCM_TAG_BYTES));
  try {
    return joined(clear, decipher.final());
  } finally {
    clear.fill(0);
  }
}

/** Overwrites the parts, so that only one copy of the decrypted bytes remains. */
function joined(...parts: Buffer[]): Buffer {
  const whole = Buffer.concat(parts);
  for (const part of parts) part.fill(0);
  return whole;
}
