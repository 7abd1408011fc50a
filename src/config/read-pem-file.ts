import { closeSync, openSync, readSync } from 'node:fs';

/** More than the certificate authorities of all browsers together. */
const LARGEST_PEM_BYTES = 1_048_576;

/**
 * All PEM files of the configuration and of options are read here.
 * @throws Error if it cannot be read or is larger than `LARGEST_PEM_BYTES`
 */
export function readPemFile(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(LARGEST_PEM_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > LARGEST_PEM_BYTES) throw new Error(`${path}: expected at most ${LARGEST_PEM_BYTES} bytes`);
    return Buffer.from(bytes.subarray(0, length));
  } finally {
    closeSync(descriptor);
  }
}
