import { constants, type KeyObject, privateDecrypt } from 'node:crypto';

export interface KeyAlgorithm {
  /** Length of the modulus. */
  readonly bits: number;
  readonly wrapping: 'RSAES-PKCS1-v1_5' | 'RSAES-OAEP';
  /** In bits (NIST SP 800-57 part 1, table 2). */
  readonly strength: number;
}

/** Key algorithms of the CRYPTn table. RSA-OAEP uses SHA-256 (RFC 8017, section 7.1). */
export const keyAlgorithms: ReadonlyMap<string, KeyAlgorithm> = new Map([
  ['RSA-512', algorithm(512, 56)],
  ['RSA-1024', algorithm(1024, 80)],
  ['RSA-2048', algorithm(2048, 112)],
  ['RSA-3072', algorithm(3072, 128)],
  ['RSA-4096', algorithm(4096, 152)],
  ['RSA-OAEP-2048', algorithm(2048, 112, 'RSAES-OAEP')],
  ['RSA-OAEP-3072', algorithm(3072, 128, 'RSAES-OAEP')],
  ['RSA-OAEP-4096', algorithm(4096, 152, 'RSAES-OAEP')],
]);

function algorithm(bits: number, strength: number, wrapping: KeyAlgorithm['wrapping'] = 'RSAES-PKCS1-v1_5') {
  return { bits, wrapping, strength } satisfies KeyAlgorithm;
}

/** A temporary RSA key pair of one connection. The private key cannot be extracted and does not appear in dumps. */
export class KeyPair {
  readonly #privateKey: KeyObject;

  /** Modulus and exponent are lower-case hex without `0x`. */
  constructor(
    privateKey: KeyObject,
    readonly modulus: string,
    readonly exponent: string,
  ) {
    this.#privateKey = privateKey;
  }

  /** @param substitute random, as long as the longest of `lengths` (in bytes); returned if decryption fails */
  unwrap(
    wrapping: KeyAlgorithm['wrapping'],
    wrapped: Uint8Array,
    lengths: readonly number[],
    substitute: Uint8Array,
  ): Uint8Array {
    return wrapping === 'RSAES-OAEP'
      ? this.#unwrapOaep(wrapped, lengths, substitute)
      : this.#unwrapPkcs1(wrapped, lengths, substitute);
  }

  /** RSAES-PKCS1-v1_5; returns the substitute if decryption fails. */
  #unwrapPkcs1(wrapped: Uint8Array, lengths: readonly number[], substitute: Uint8Array): Uint8Array {
    let block: Uint8Array;
    try {
      block = privateDecrypt({ key: this.#privateKey, padding: constants.RSA_NO_PADDING }, wrapped);
    } catch {
      // not less than the modulus; this reveals nothing about the private key
      block = new Uint8Array(Math.max(...lengths) + LEAST_OVERHEAD);
    }
    return unpadKey(block, lengths, substitute);
  }

  /** RSAES-OAEP with SHA-256 (RFC 8017, section 7.1.2); returns the substitute if decryption fails. */
  #unwrapOaep(wrapped: Uint8Array, lengths: readonly number[], substitute: Uint8Array): Uint8Array {
    const instead = substitute.subarray(0, lengths[0]);
    try {
      const options = { key: this.#privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
      const key = privateDecrypt(options, wrapped);
      return lengths.includes(key.length) ? key : instead;
    } catch {
      return instead;
    }
  }
}

/** 00 02, at least 8 bytes of padding, 00 (RFC 8017, section 7.2.1). */
const LEAST_OVERHEAD = 11;

/**
 * Extracts a key from an RSAES-PKCS1-v1_5 block with the layout 00 02 PS 00 M (RFC 8017, section 7.2.2), in constant
 * time. OpenSSL does not check the padding here: Node 20 rejects that mode, and later versions return a random message
 * of any length for invalid padding.
 * @param block as long as the modulus
 * @param lengths key lengths, each at least 11 bytes shorter than the block
 * @param substitute random, as long as the longest key; returned if the padding is not valid
 */
function unpadKey(block: Uint8Array, lengths: readonly number[], substitute: Uint8Array): Uint8Array {
  const header = Number(block[0] !== 0) | Number(block[1] !== 2);
  const longest = Math.max(...lengths);
  const result = Uint8Array.from(substitute);
  let resultLength = lengths[0] ?? longest;
  for (const length of lengths) {
    const separator = block.length - length - 1;
    let wrong = header | Number(separator < LEAST_OVERHEAD - 1);
    for (let at = 2; at < block.length; at++) {
      const isPadding = Number(at < separator);
      const isSeparator = Number(at === separator);
      const isZero = Number(block[at] === 0);
      wrong |= (isPadding & isZero) | (isSeparator & (1 - isZero));
    }
    const take = -(1 - wrong) & 0xff;
    for (let at = 0; at < longest; at++) {
      const own = block[block.length - length + at] ?? 0;
      result[at] = ((result[at] as number) & ~take) | (own & take);
    }
    resultLength = take === 0 ? resultLength : length;
  }
  return result.subarray(0, resultLength);
}
