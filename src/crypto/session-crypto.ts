import { randomBytes } from 'node:crypto';
import type { CryptDefinition, FullCryptDefinition } from './crypt-definition.js';
import type { KeyPair } from './key-pair.js';
import { decodeNullField, decodeWire, decryptField, type SessionKey } from './wire-field.js';

/** Lengths of decrypted values of CBC and ECB that clients are told in one session (docs/decisions/0023). */
const MOST_TOLD_LENGTHS = 50;

/**
 * The field encryption of one connection: its temporary key pair and the last session key of the browser. Neither can appear in
 * a snapshot, a log or an error: they can only be used to decrypt.
 */
export class SessionCrypto {
  readonly #definition: CryptDefinition;
  #keyPair: KeyPair | undefined;
  #toldLengths = 0;
  /** Undefined until it is used. */
  #sessionKey: SessionKey | undefined;

  constructor(definition: CryptDefinition) {
    this.#definition = definition;
  }

  /** The crypt name. */
  get name(): string {
    return this.#definition.name;
  }

  /** The tuple that ENCRYPTION-PARAMETERS inserts. */
  get parameters(): readonly string[] {
    return this.#definition.members;
  }

  /** Whether values are bound to the number of their request: one that was sent before is refused. */
  get bindsRequests(): boolean {
    return this.#definition.kind === 'full' && this.#definition.chaining === 'GCM';
  }

  /** The pair a page has to have that asks for PUBLIC-KEY; undefined: it needs none, or has it. */
  get missingKeyAlgorithm(): FullCryptDefinition['keyAlgorithm'] | undefined {
    return this.#definition.kind === 'full' && this.#keyPair === undefined ? this.#definition.keyAlgorithm : undefined;
  }

  /** Takes the pair of this connection; a second one is not taken. */
  adopt(keyPair: KeyPair): void {
    this.#keyPair ??= keyPair;
  }

  publicKey(part: 'EXPONENT' | 'MODULUS'): string | undefined {
    return part === 'EXPONENT' ? this.#keyPair?.exponent : this.#keyPair?.modulus;
  }

  /**
   * Takes the content of the field declared CRYPTO-SESSION-KEY. It does not reveal whether that was valid: an invalid one
   * yields a random key, with which every decryption fails.
   */
  takeSessionKey(wire: string): void {
    const definition = this.#definition;
    if (definition.kind === 'null') return;
    const { cipher, chaining, encoding, keyAlgorithm } = definition;
    const withIv = chaining === 'CBC' ? [cipher.keyBytes + cipher.blockBytes] : [];
    const lengths = [cipher.keyBytes, ...withIv];
    const substitute = randomBytes(cipher.keyBytes + cipher.blockBytes);
    const wrapped = decodeWire(encoding, wire) ?? new Uint8Array(0);
    const padded = Buffer.alloc(keyAlgorithm.bits / 8);
    // a number may be written with fewer digits than its modulus
    if (wrapped.length <= padded.length) padded.set(wrapped, padded.length - wrapped.length);
    const key = this.#keyPair?.unwrap(keyAlgorithm.wrapping, padded, lengths, substitute) ?? substitute;
    this.#forgetSessionKey();
    const iv = key.length > cipher.keyBytes ? key.subarray(cipher.keyBytes) : new Uint8Array(cipher.blockBytes);
    this.#sessionKey = { key: Uint8Array.from(key.subarray(0, cipher.keyBytes)), iv: Uint8Array.from(iv) };
    key.fill(0);
  }

  /**
   * The clear value of a non-displayable field.
   * @param binding session code, field id, request number
   * @returns undefined if anything about it is wrong
   */
  clearValue(wire: string, ...binding: readonly string[]): string | undefined {
    const definition = this.#definition;
    return definition.kind === 'null'
      ? decodeNullField(definition, wire)
      : decryptField(definition, this.#anyKey(), wire, binding);
  }

  /**
   * Whether a client may be told why a value that was decrypted does not fit its field. With GCM, the sender has proven to know the key. With CBC and
   * ECB, each answer tells something about a value that the sender may have put together from parts of another, so only a few answers tell the
   * length, and none the characters. A null CRYPTn hides nothing.
   */
  mayTellRefusal(about: 'length' | 'characters'): boolean {
    if (this.#definition.kind === 'null' || this.#definition.chaining === 'GCM') return true;
    if (about === 'characters' || this.#toldLengths >= MOST_TOLD_LENGTHS) return false;
    this.#toldLengths += 1;
    return true;
  }

  /** Drops the keys. */
  release(): void {
    this.#keyPair = undefined;
    this.#forgetSessionKey();
  }

  #forgetSessionKey(): void {
    this.#sessionKey?.key.fill(0);
    this.#sessionKey?.iv.fill(0);
    this.#sessionKey = undefined;
  }

  /** Until a browser has chosen one, a random one: with that nothing decrypts. */
  #anyKey(): SessionKey {
    this.#sessionKey ??= randomKey(this.#definition);
    return this.#sessionKey;
  }
}

function randomKey(definition: CryptDefinition): SessionKey {
  if (definition.kind === 'null') return { key: new Uint8Array(0), iv: new Uint8Array(0) };
  return { key: randomBytes(definition.cipher.keyBytes), iv: randomBytes(definition.cipher.blockBytes) };
}
