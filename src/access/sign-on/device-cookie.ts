import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const ISSUED_BYTES = 4;
const HEAD_BYTES = NONCE_BYTES + ISSUED_BYTES;
const MAC_BYTES = 20;
const DAY_MILLISECONDS = 86_400_000;

export const DEVICE_DAYS = 90;
/** A browser that is used anew after these gets another one. */
const RENEWED_AFTER_DAYS = 30;

/**
 * What a browser is given with which a user has signed on: by it, the user's further tries are told from those of others. It
 * names nobody; the key is the user's.
 * @param now by the calendar
 */
export function newDeviceCode(key: Buffer, now: number): string {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeUInt32BE(dayOf(now), NONCE_BYTES);
  return Buffer.concat([head, macOf(key, head)]).toString('base64url');
}

/** @returns whether it is to be renewed; undefined: it is not one of that key, or too old, or of the future */
export function readDeviceCode(key: Buffer, code: string, now: number): { readonly isOld: boolean } | undefined {
  const bytes = Buffer.from(code, 'base64url');
  if (bytes.length !== HEAD_BYTES + MAC_BYTES) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(key, head))) return undefined;
  const days = dayOf(now) - head.readUInt32BE(NONCE_BYTES);
  return days < 0 || days >= DEVICE_DAYS ? undefined : { isOld: days >= RENEWED_AFTER_DAYS };
}

/** What counts as one client; no address and no name of a user is written so. */
export function deviceKeyOf(code: string): string {
  return `device ${hash('sha256', code, 'base64url')}`;
}

function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / DAY_MILLISECONDS);
}

function macOf(key: Buffer, head: Buffer): Buffer {
  return createHmac('sha256', key).update(head).digest().subarray(0, MAC_BYTES);
}
