import { open } from 'node:fs/promises';

/** The bytes of a file, one more than `most` at the most: whoever gets that many knows that it is too large. */
export async function readAtMost(file: string, most: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } finally {
    await handle.close();
  }
}
