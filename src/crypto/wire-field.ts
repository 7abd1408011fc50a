import { decryptBlocks, decryptGcm } from './ciphers.js';
import type { FieldEncoding, FullCryptDefinition, NullCryptDefinition } from './crypt-definition.js';

/** The symmetric key that a browser chose. */
export interface SessionKey {
  readonly key: Uint8Array;
  /** Zero bytes of the block length, or the IV sent with the key. */
  readonly iv: Uint8Array;
}

/** Characters of a value on the wire; the longest field of the largest screen, encrypted, is shorter. */
const LONGEST_WIRE_VALUE = 262_144;

const hexadecimal = /^(?:[0-9a-f]{2})*$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns undefined if the text is not in that encoding */
export function decodeWire(encoding: FieldEncoding, text: string): Buffer | undefined {
  if (text.length > LONGEST_WIRE_VALUE) return undefined;
  if (encoding === 'HEX') return hexadecimal.test(text) ? Buffer.from(text, 'hex') : undefined;
  return base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The value of a field under a null CRYPTn: its character codes in UTF-8. @returns undefined if it is invalid */
export function decodeNullField({ encoding }: NullCryptDefinition, wire: string): string | undefined {
  return textOf(decodeWire(encoding, wire));
}

/**
 * The clear value of an encrypted field.
 * @param binding what GCM binds the value to: session code, field id, request number, in UTF-8
 * @returns undefined if anything about it is wrong
 */
export function decryptField(
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
