import type { KeyObject } from 'node:crypto';
import type { KeyAlgorithm } from './key-algorithms.js';
import { unwrapOaep, unwrapPkcs1 } from './key-unwrapping.js';

/** A temporary RSA key pair, of one connection. The private part cannot be extracted, and does not appear in any dump. */
export class KeyPair {
  readonly #privateKey: KeyObject;

  /**
   * @param modulus lower-case hex without `0x`
   * @param exponent lower-case hex without `0x`
   */
  constructor(
    privateKey: KeyObject,
    readonly modulus: string,
    readonly exponent: string,
  ) {
    this.#privateKey = privateKey;
  }

  /**
   * The session key that was encrypted under the public part.
   * @param lengths that it may have, in bytes
   * @param substitute random, as long as the longest of them: returned if decryption fails
   */
  unwrap(
    wrapping: KeyAlgorithm['wrapping'],
    wrapped: Uint8Array,
    lengths: readonly number[],
    substitute: Uint8Array,
  ): Uint8Array {
    return wrapping === 'RSAES-OAEP'
      ? unwrapOaep(this.#privateKey, wrapped, lengths, substitute)
      : unwrapPkcs1(this.#privateKey, wrapped, lengths, substitute);
  }
}
