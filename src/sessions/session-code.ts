import { randomBytes } from 'node:crypto';

/** 192 random bits (the contract wants 128 at least), in 32 characters of base64url. */
const CODE_BYTES = 24;
const CODE = /^(?:([a-z0-9]{1,8})\.)?[A-Za-z0-9_-]{1,64}$/;

/**
 * A code that nobody guesses: of a session in a path, or of a browser in its cookie.
 * @param node whose session it is; undefined: there is only one node, or nobody needs to know
 */
export function newSessionCode(node?: string): string {
  const random = randomBytes(CODE_BYTES).toString('base64url');
  return node === undefined ? random : `${node}.${random}`;
}

/** Whether a text can be the code of a session, of this node or of another one. */
export function isSessionCode(text: string): boolean {
  return CODE.test(text);
}

/** The node that a code, or what is called by one, begins with; undefined: none. */
export function nodeOfCode(code: string): string | undefined {
  return CODE.exec(code)?.[1];
}
