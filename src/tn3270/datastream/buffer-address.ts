/** The index of a character position in the presentation space, row by row, from 0. */
export type BufferAddress = number;

/** The most positions that 12-bit addresses reach; a larger presentation space is addressed by 14 bits, then by 16. */
const MOST_12_BIT_POSITIONS = 1 << 12;
const MOST_14_BIT_POSITIONS = 1 << 14;
export const MOST_16_BIT_POSITIONS = 1 << 16;

/**
 * How the two bytes of an address are read: `coded` as the first byte's upper two bits tell (00: 14 bits, 01 and 11: six
 * bits in each byte), `binary` as 16 bits (GA23-0059, chapter 4, "Buffer addressing").
 */
export type AddressMode = 'coded' | 'binary';

/** 14 bits do not reach beyond 16,384 positions: a larger presentation space is addressed by 16 bits on both sides. */
export function addressModeFor(positions: number): AddressMode {
  return positions > MOST_14_BIT_POSITIONS ? 'binary' : 'coded';
}

/** Never fails; the result is to be checked against the size. 0x80-coded first bytes are reserved and read as six bits. */
export function decodeBufferAddress(first: number, second: number, mode: AddressMode): BufferAddress {
  if (mode === 'binary') return (first << 8) | second;
  if ((first & 0xc0) === 0) return ((first & 0x3f) << 8) | second;
  return ((first & 0x3f) << 6) | (second & 0x3f);
}

/**
 * Two bytes, in the shortest coding that reaches every position.
 * @param positions how many positions the presentation space has: this decides the coding, not the address
 */
export function encodeBufferAddress(address: BufferAddress, positions: number, mode: AddressMode): [number, number] {
  if (mode === 'binary' || positions > MOST_12_BIT_POSITIONS) return [(address >> 8) & 0xff, address & 0xff];
  return [graphicCode(address >> 6), graphicCode(address)];
}

/**
 * The graphic that stands for six bits (GA23-0059, figure C-1): the code that a byte with both upper bits off is sent as.
 * Written out sixteen a row.
 */
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

/** @param sixBits 0–63; further bits are ignored. */
export function graphicCode(sixBits: number): number {
  return graphicOfSixBits[sixBits & 0x3f] as number;
}
