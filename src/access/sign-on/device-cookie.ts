import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const ISSUED_BYTES = 4;
const HEAD_BYTES = NONCE_BYTES + ISSUED_BYTES;
const MAC_BYTES = 20;
const DAY_MILLISECONDS = 86_400_000;

export const DEVICE_DAYS = 90;
/** Older codes are replaced at the next sign-on. */
const RENEWED_AFTER_DAYS = 30;

/**
 * Code for a browser in which a user has signed on. It separates the user's later attempts from those of other clients.
 * It contains no name.
 * @param key key of the user
 * @param now milliseconds since 1970
 */
export function newDeviceCode(key: Buffer, now: number): string {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeUInt32BE(dayOf(now), NONCE_BYTES);
  return Buffer.concat([head, macOf(key, head)]).toString('base64url');
}

/**
 * @returns whether the code is due for renewal, or undefined if it has another key, is too old, or has a date in the
 * future
 */
export function readDeviceCode(key: Buffer, code: string, now: number): { readonly isOld: boolean } | undefined {
  const bytes = Buffer.from(code, 'base64url');
  if (bytes.length !== HEAD_BYTES + MAC_BYTES) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(key, head))) return undefined;
  const days = dayOf(now) - head.readUInt32BE(NONCE_BYTES);
  return days < 0 || days >= DEVICE_DAYS ? undefined : { isOld: days >= RENEWED_AFTER_DAYS };
}

/** Key that counts as one client. It cannot equal an address or a user name. */
export function deviceKeyOf(code: string): string {
  return `device ${hash('sha256', code, 'base64url')}`;
}

function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / DAY_MILLISECONDS);
}

function macOf(key: Buffer, head: Buffer): Buffer {
  return createHmac('sha256', key).update(head).digest().subarray(0, MAC_BYTES);
}
