import { randomBytes } from 'node:crypto';

/** 192 random bits (the contract requires at least 128), 32 characters in base64url. */
const CODE_BYTES = 24;
const CODE = /^(?:([a-z0-9]{1,8})\.)?[A-Za-z0-9_-]{1,64}$/;

/** @param node owner of the session; undefined without cluster, or for cookies */
export function newSessionCode(node?: string): string {
  const random = randomBytes(CODE_BYTES).toString('base64url');
  return node === undefined ? random : `${node}.${random}`;
}

export function isSessionCode(text: string): boolean {
  return CODE.test(text);
}

export function nodeOfCode(code: string): string | undefined {
  return CODE.exec(code)?.[1];
}
