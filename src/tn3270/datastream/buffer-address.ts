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

/** EBCDIC graphics that represent six bits (GA23-0059, figure C-1), indexed by the six bits. */
const graphicOfSixBits = Uint8Array.of(
  0x40,
  0xc1,
  0xc2,
  0xc3,
  0xc4,
  0xc5,
  0xc6,
  0xc7,
  0xc8,
  0xc9,
  0x4a,
  0x4b,
  0x4c,
  0x4d,
  0x4e,
  0x4f,
  0x50,
  0xd1,
  0xd2,
  0xd3,
  0xd4,
  0xd5,
  0xd6,
  0xd7,
  0xd8,
  0xd9,
  0x5a,
  0x5b,
  0x5c,
  0x5d,
  0x5e,
  0x5f,
  0x60,
  0x61,
  0xe2,
  0xe3,
  0xe4,
  0xe5,
  0xe6,
  0xe7,
  0xe8,
  0xe9,
  0x6a,
  0x6b,
  0x6c,
  0x6d,
  0x6e,
  0x6f,
  0xf0,
  0xf1,
  0xf2,
  0xf3,
  0xf4,
  0xf5,
  0xf6,
  0xf7,
  0xf8,
  0xf9,
  0x7a,
  0x7b,
  0x7c,
  0x7d,
  0x7e,
  0x7f,
);

export function graphicCode(sixBits: number): number {
  return graphicOfSixBits[sixBits & 0x3f] as number;
}
