import iconv from 'iconv-lite';

/**
 * One value of a scenario variable: text, or bytes that say how they are to be read.
 *
 * Constants, parameters and mapped records are text. The body of a reply, a rendered file and the result of
 * `CONVERT$ …-TO-EBCDIC` are bytes. Keeping the encoding beside the bytes means that a value reads as the same
 * characters wherever it is used, whether or not the scenario converted it before.
 */
export type Value = string | EncodedBytes;

export interface EncodedBytes {
  readonly bytes: Uint8Array;
  /** A name that iconv-lite knows; the EBCDIC code pages are registered with it. */
  readonly encoding: string;
}

export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return value.encoding === 'utf-8'
    ? asBuffer(value.bytes).toString('utf8')
    : iconv.decode(asBuffer(value.bytes), value.encoding);
}

/** The bytes of a value as they are sent: bytes as they stand, text in the encoding given. */
export function bytesOf(value: Value, encoding: string): Buffer {
  if (typeof value !== 'string') return asBuffer(value.bytes);
  return encoding === 'utf-8' ? Buffer.from(value, 'utf8') : iconv.encode(value, encoding);
}

export function encodedText(text: string, encoding: string): EncodedBytes {
  return { bytes: bytesOf(text, encoding), encoding };
}

/** Characters of a text, bytes of bytes: what a value counts for against the bounds of a run. */
export function sizeOf(value: Value): number {
  return typeof value === 'string' ? value.length : value.bytes.length;
}

/** The encoding that a Content-Type names, where it is one that can be read; else UTF-8. */
export function encodingOfContentType(contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  return charset !== undefined && charset !== 'utf8' && iconv.encodingExists(charset) ? charset : 'utf-8';
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
