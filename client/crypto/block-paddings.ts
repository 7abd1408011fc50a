import { randomBytes } from './secure-random.js';

/** Pads a value to whole blocks with 1 byte to one block. */
export type Pad = (value: Uint8Array, blockBytes: number) => Uint8Array;

/** Paddings of the CRYPTn table (reference 3.1). The last byte is the number of padding bytes in all three. */
export const blockPaddings: ReadonlyMap<string, Pad> = new Map<string, Pad>([
  // RFC 5652, section 6.3: every padding byte is that number
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
