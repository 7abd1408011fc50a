import forge from 'node-forge/lib/forge.js';
import 'node-forge/lib/util.js';

export type WireEncoding = (bytes: Uint8Array) => string;

/** Encodings of the CRYPTn table (reference 3.1). */
export const wireEncodings: ReadonlyMap<string, WireEncoding> = new Map<string, WireEncoding>([
  ['HEX', hexOf],
  // RFC 4648, section 4, without line breaks
  ['BASE64', (bytes) => forge.util.binary.base64.encode(bytes)],
]);

/** Lower case. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const utf8 = new TextEncoder();

/** UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return utf8.encode(text);
}

export function concatenate(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
