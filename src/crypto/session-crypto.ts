import { randomBytes } from 'node:crypto';
import { decryptBlocks, decryptGcm } from './ciphers.js';
import type { CryptDefinition, FieldEncoding, FullCryptDefinition } from './crypt-definition.js';
import type { KeyPair } from './key-pair.js';

interface SessionKey {
  readonly key: Uint8Array;
  /** The IV sent with the key, or zeros of the block length. */
  readonly iv: Uint8Array;
}

/** Limit on reported lengths of decrypted CBC and ECB values in one session (docs/develop/decisions/0023). */
const MOST_TOLD_LENGTHS = 50;

/**
 * Field encryption of one connection: its temporary key pair and the browser's last session key. Neither appears in a
 * snapshot, log or error; they can only be used to decrypt.
 */
export class SessionCrypto {
  readonly #definition: CryptDefinition;
  #keyPair: KeyPair | undefined;
  #toldLengths = 0;
  #sessionKey: SessionKey | undefined;

  constructor(definition: CryptDefinition) {
    this.#definition = definition;
  }

  get name(): string {
    return this.#definition.name;
  }

  get parameters(): readonly string[] {
    return this.#definition.members;
  }

  /** True if values are bound to their request number, so that replayed values are rejected. */
  get bindsRequests(): boolean {
    return this.#definition.kind === 'full' && this.#definition.chaining === 'GCM';
  }

  /** Algorithm of the key pair that a page with PUBLIC-KEY requires; undefined if none is required or it is present. */
  get missingKeyAlgorithm(): FullCryptDefinition['keyAlgorithm'] | undefined {
    return this.#definition.kind === 'full' && this.#keyPair === undefined ? this.#definition.keyAlgorithm : undefined;
  }

  /** Sets the key pair of this connection; later pairs are ignored. */
  adopt(keyPair: KeyPair): void {
    this.#keyPair ??= keyPair;
  }

  publicKey(part: 'EXPONENT' | 'MODULUS'): string | undefined {
    return part === 'EXPONENT' ? this.#keyPair?.exponent : this.#keyPair?.modulus;
  }

  /** Does not reveal errors: an invalid value of the CRYPTO-SESSION-KEY field sets a random key. */
  takeSessionKey(wire: string): void {
    const definition = this.#definition;
    if (definition.kind === 'null') return;
    const { cipher, chaining, encoding, keyAlgorithm } = definition;
    const withIv = chaining === 'CBC' ? [cipher.keyBytes + cipher.blockBytes] : [];
    const lengths = [cipher.keyBytes, ...withIv];
    const substitute = randomBytes(cipher.keyBytes + cipher.blockBytes);
    const wrapped = decodeWire(encoding, wire) ?? new Uint8Array(0);
    const padded = Buffer.alloc(keyAlgorithm.bits / 8);
    // leading zeros of the number may be missing
    if (wrapped.length <= padded.length) padded.set(wrapped, padded.length - wrapped.length);
    const key = this.#keyPair?.unwrap(keyAlgorithm.wrapping, padded, lengths, substitute) ?? substitute;
    this.#forgetSessionKey();
    const iv = key.length > cipher.keyBytes ? key.subarray(cipher.keyBytes) : new Uint8Array(cipher.blockBytes);
    this.#sessionKey = { key: Uint8Array.from(key.subarray(0, cipher.keyBytes)), iv: Uint8Array.from(iv) };
    key.fill(0);
  }

  /**
   * Decrypts the value of a non-displayable field.
   * @param binding session code, field ID, request number
   * @returns undefined if any part is not valid
   */
  clearValue(wire: string, ...binding: readonly string[]): string | undefined {
    const definition = this.#definition;
    return definition.kind === 'null'
      ? decodedText(decodeWire(definition.encoding, wire))
      : decryptField(definition, this.#anyKey(), wire, binding);
  }

  /**
   * True if a client may learn why a decrypted value does not fit its field. With GCM, the sender has proven to have
   * the key. With CBC and ECB, the sender may have assembled the value from parts of others, and each answer reveals
   * something. So only a few answers report the length, and none the characters. A null CRYPTn protects no values.
   */
  mayTellRefusal(about: 'length' | 'characters'): boolean {
    if (this.#definition.kind === 'null' || this.#definition.chaining === 'GCM') return true;
    if (about === 'characters' || this.#toldLengths >= MOST_TOLD_LENGTHS) return false;
    this.#toldLengths += 1;
    return true;
  }

  release(): void {
    this.#keyPair = undefined;
    this.#forgetSessionKey();
  }

  #forgetSessionKey(): void {
    this.#sessionKey?.key.fill(0);
    this.#sessionKey?.iv.fill(0);
    this.#sessionKey = undefined;
  }

  /** The session key, or a random key, with which decryption fails. */
  #anyKey(): SessionKey {
    this.#sessionKey ??= randomKey(this.#definition);
    return this.#sessionKey;
  }
}

function randomKey(definition: CryptDefinition): SessionKey {
  if (definition.kind === 'null') return { key: new Uint8Array(0), iv: new Uint8Array(0) };
  return { key: randomBytes(definition.cipher.keyBytes), iv: randomBytes(definition.cipher.blockBytes) };
}

/** In characters of hex or Base64, above the longest encrypted field of 160 by 62 positions. */
const LONGEST_WIRE_VALUE = 262_144;

const hexadecimal = /^(?:[0-9a-f]{2})*$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeWire(encoding: FieldEncoding, text: string): Buffer | undefined {
  if (text.length > LONGEST_WIRE_VALUE) return undefined;
  if (encoding === 'HEX') return hexadecimal.test(text) ? Buffer.from(text, 'hex') : undefined;
  return base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function decryptField(
  { cipher, chaining, bindingSeparator, encoding, unpad }: FullCryptDefinition,
  { key, iv }: SessionKey,
  wire: string,
  binding: readonly string[],
): string | undefined {
  const bytes = decodeWire(encoding, wire);
  if (bytes === undefined) return undefined;
  let clear: Buffer | undefined;
  try {
    if (chaining === 'GCM') {
      clear = decryptGcm(cipher, key, bytes, Buffer.from(binding.join(bindingSeparator)));
      return decodedText(clear);
    }
    clear = decryptBlocks(cipher, chaining, key, iv, bytes);
    return decodedText(unpad?.(clear, cipher.blockBytes));
  } catch {
    return undefined;
  } finally {
    clear?.fill(0);
  }
}

function decodedText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
