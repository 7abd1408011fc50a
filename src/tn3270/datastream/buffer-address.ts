import { graphicCode } from './graphic-code.js';

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
