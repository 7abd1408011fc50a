import { randomInt } from 'node:crypto';

/** Without characters that are taken for each other: 5.8 bits each. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A password that nobody thought of. */
export function madePassword(length: number): string {
  return Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}
