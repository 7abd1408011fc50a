import { randomInt } from 'node:crypto';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-hash.js';
import { refusedChange } from './security-change.js';

/** Without characters that are taken for each other: 5.8 bits each. */
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A password that nobody thought of. */
export function madePassword(length: number): string {
  return Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}

/** In words. */
export const passwordRule = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;

/** @throws ServiceError SVC_ERR_SECURITY_CHANGE where it is too short or too long */
export function checkPassword(password: string): void {
  if ([...password].length < SHORTEST_PASSWORD) {
    throw refusedChange(`A password has at least ${SHORTEST_PASSWORD} characters.`);
  }
  if (password.length > LONGEST_PASSWORD) {
    throw refusedChange(`A password has at most ${LONGEST_PASSWORD} characters.`);
  }
}
