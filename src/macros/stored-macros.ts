import { createHash } from 'node:crypto';

/** A file as it was uploaded, byte for byte. */
export interface StoredMacros {
  readonly bytes: Buffer;
  /** In quotation marks; the same for the same bytes. */
  readonly etag: string;
  readonly modified: Date;
}

/** The tag of a file, wherever it is kept: 32 hexadecimal digits, the first ones of its SHA-256, in quotation marks. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}
