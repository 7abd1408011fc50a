import { randomBytes } from 'node:crypto';

/** 192 random bits (the contract wants 128 at least), in 32 characters of base64url. */
const CODE_BYTES = 24;

/** A code that nobody guesses: of a session in a path, or of a browser in its cookie. */
export function newSessionCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}
