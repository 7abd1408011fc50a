import { randomBytes } from 'node:crypto';

/** 48 random bits, in 12 characters. */
const IDENTIFIER_BYTES = 6;

/** By which log and operators name a host session, of all that there have been: it opens none. */
export function newSessionIdentifier(): string {
  return randomBytes(IDENTIFIER_BYTES).toString('hex');
}
