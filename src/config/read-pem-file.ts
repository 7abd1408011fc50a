import { closeSync, openSync, readSync } from 'node:fs';

/** More than all authorities that browsers know, together. */
const LARGEST_PEM_BYTES = 1_048_576;

/**
 * A certificate, a chain or list of them, or a key. All PEM files that the configuration or an option names are read here.
 * @throws Error where it cannot be read, or is larger than `LARGEST_PEM_BYTES`
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
