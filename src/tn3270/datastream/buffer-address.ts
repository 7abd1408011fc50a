/** Index of a character position in the presentation space, row by row, from 0. */
export type BufferAddress = number;

/** Maximum for 12-bit addresses. Larger presentation spaces use 14 bits, then 16. */
const MOST_12_BIT_POSITIONS = 1 << 12;
const MOST_14_BIT_POSITIONS = 1 << 14;
export const MOST_16_BIT_POSITIONS = 1 << 16;

/**
 * Format of the two address bytes (GA23-0059, chapter 4, "Buffer addressing"). `coded`: the upper two bits of the first
 * byte select the format (00: 14 bits; 01 and 11: six bits in each byte). `binary`: 16 bits.
 */
export type AddressMode = 'coded' | 'binary';

export function addressModeFor(positions: number): AddressMode {
  return positions > MOST_14_BIT_POSITIONS ? 'binary' : 'coded';
}

/** The caller checks the result against the size. The reserved upper bits 10 are read as the six-bit format. */
export function decodeBufferAddress(first: number, second: number, mode: AddressMode): BufferAddress {
  if (mode === 'binary') return (first << 8) | second;
  if ((first & 0xc0) === 0) return ((first & 0x3f) << 8) | second;
  return ((first & 0x3f) << 6) | (second & 0x3f);
}

/** @param positions size of the presentation space, which selects the format */
export function encodeBufferAddress(address: BufferAddress, positions: number, mode: AddressMode): [number, number] {
  if (mode === 'binary' || positions > MOST_12_BIT_POSITIONS) return [(address >> 8) & 0xff, address & 0xff];
  return [graphicCode(address >> 6), graphicCode(address)];
}

/** EBCDIC graphics that represent six bits (GA23-0059, figure C-1), two hexadecimal digits each. */
const GRAPHICS =
  '40c1c2c3c4c5c6c7c8c94a4b4c4d4e4f' +
  '50d1d2d3d4d5d6d7d8d95a5b5c5d5e5f' +
  '6061e2e3e4e5e6e7e8e96a6b6c6d6e6f' +
  'f0f1f2f3f4f5f6f7f8f97a7b7c7d7e7f';
const graphicOfSixBits = Uint8Array.from({ length: 64 }, (_, at) =>
  Number.parseInt(GRAPHICS.slice(2 * at, 2 * at + 2), 16),
);

export function graphicCode(sixBits: number): number {
  return graphicOfSixBits[sixBits & 0x3f] as number;
}
