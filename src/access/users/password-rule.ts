import { randomInt } from 'node:crypto';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-hash.js';
import { refusedChange } from './security-change.js';

/** Without similar characters such as 0 and O: 5.8 bits per character. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

export function madePassword(length: number): string {
  return Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}

export const passwordRule = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;

export function checkPassword(password: string): void {
  if ([...password].length < SHORTEST_PASSWORD) {
    throw refusedChange('password.short', { least: SHORTEST_PASSWORD });
  }
  if (password.length > LONGEST_PASSWORD) {
    throw refusedChange('password.long', { most: LONGEST_PASSWORD });
  }
}
