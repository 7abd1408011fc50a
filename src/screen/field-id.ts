import type { BufferAddress } from '../datastream/buffer-address.js';

const DIGITS = 7;
const positionId = /^[VP]0*([0-9A-F]{1,8})$/i;

/** The name of a field in forms: V and the address of its first character, in 7 upper-case hex digits (contract). */
export function fieldIdOf(address: BufferAddress): string {
  return `V${hex(address)}`;
}

/** The name of a position nothing can be typed at (reference 2.2, POSITION-OF-THE-CURSOR). */
export function protectedPositionIdOf(address: BufferAddress): string {
  return `P${hex(address)}`;
}

/** The address that an id names, written with any number of digits; undefined where it is none. */
export function readPositionId(text: string): BufferAddress | undefined {
  const digits = positionId.exec(text)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

function hex(address: BufferAddress): string {
  return address.toString(16).toUpperCase().padStart(DIGITS, '0');
}
