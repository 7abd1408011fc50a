import type { BufferAddress } from '../datastream/buffer-address.js';

const DIGITS = 7;

/** The name of a field in forms: V and the address of its first character, in 7 upper-case hex digits (contract). */
export function fieldIdOf(address: BufferAddress): string {
  return `V${hex(address)}`;
}

/** The name of a position nothing can be typed at (reference 2.2, POSITION-OF-THE-CURSOR). */
export function protectedPositionIdOf(address: BufferAddress): string {
  return `P${hex(address)}`;
}

function hex(address: BufferAddress): string {
  return address.toString(16).toUpperCase().padStart(DIGITS, '0');
}
