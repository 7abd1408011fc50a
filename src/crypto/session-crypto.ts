import { randomBytes } from 'node:crypto';
import { decryptBlocks, decryptGcm } from './ciphers.js';
import type { CryptDefinition, FieldEncoding, FullCryptDefinition, NullCryptDefinition } from './crypt-definition.js';
import type { KeyPair } from './key-pair.js';

/** The symmetric key that a browser chose. */
interface SessionKey {
  readonly key: Uint8Array;
  /** Zero bytes of the block length, or the IV sent with the key. */
  readonly iv: Uint8Array;
}

/** Lengths of decrypted values of CBC and ECB that clients are told in one session (docs/develop/decisions/0023). */
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

/** Characters of a value on the wire; the longest field of the largest screen, encrypted, is shorter. */
const LONGEST_WIRE_VALUE = 262_144;

const hexadecimal = /^(?:[0-9a-f]{2})*$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns undefined if the text is not in that encoding */
function decodeWire(encoding: FieldEncoding, text: string): Buffer | undefined {
  if (text.length > LONGEST_WIRE_VALUE) return undefined;
  if (encoding === 'HEX') return hexadecimal.test(text) ? Buffer.from(text, 'hex') : undefined;
  return base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The value of a field under a null CRYPTn: its character codes in UTF-8. @returns undefined if it is invalid */
function decodeNullField({ encoding }: NullCryptDefinition, wire: string): string | undefined {
  return textOf(decodeWire(encoding, wire));
}

/**
 * The clear value of an encrypted field.
 * @param binding what GCM binds the value to: session code, field id, request number, in UTF-8
 * @returns undefined if anything about it is wrong
 */
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
      return textOf(clear);
    }
    clear = decryptBlocks(cipher, chaining, key, iv, bytes);
    return textOf(unpad?.(clear, cipher.blockBytes));
  } catch {
    return undefined;
  } finally {
    clear?.fill(0);
  }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
