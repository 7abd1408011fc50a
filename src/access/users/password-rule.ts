import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-hash.js';
import { refusedChange } from './refused-change.js';

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
