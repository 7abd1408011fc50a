import { createHash } from 'node:crypto';

/** Two numbers of 32 bits: what one at a time may work on, of all nodes. */
export type DatabaseLock = readonly [number, number];

/** "SAL" and a number for each store: other programs may use the same database. */
const first = 0x53414c00;
const stores = [
  'users',
  'tokens',
  'signOns',
  'tries',
  'macros',
  'drafts',
  'idempotency',
  'audit',
  'processes',
  'copies',
  'nodes',
] as const;

/** @param key of what is locked in the store; of two keys that have the same number one waits without need */
export function lockOf(store: (typeof stores)[number], key = ''): DatabaseLock {
  const number = key === '' ? 0 : createHash('sha256').update(key).digest().readInt32BE(0);
  return [first + stores.indexOf(store), number];
}
