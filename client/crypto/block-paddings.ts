import { randomBytes } from './secure-random.js';

/** Fills a value up to whole blocks, by one byte at least and one block at most. */
export type Pad = (value: Uint8Array, blockBytes: number) => Uint8Array;

/** The paddings of the CRYPTn table (reference 3.1); the last byte is the number of bytes of padding in all three. */
export const blockPaddings: ReadonlyMap<string, Pad> = new Map<string, Pad>([
  // RFC 5652, section 6.3: every byte of it is that number
  ['PKCS7', padding((count) => new Uint8Array(count).fill(count))],
  // ANSI X9.23: zeros
  ['X9.23', padding((count) => new Uint8Array(count))],
  // ISO 10126: random
  ['ISO10126', padding(randomBytes)],
]);

function padding(fillerOf: (count: number) => Uint8Array): Pad {
  return (value, blockBytes) => {
    const count = blockBytes - (value.length % blockBytes);
    const padded = new Uint8Array(value.length + count);
    padded.set(value);
    padded.set(fillerOf(count), value.length);
    padded[padded.length - 1] = count;
    return padded;
  };
}
