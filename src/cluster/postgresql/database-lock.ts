import { createHash } from 'node:crypto';

export type DatabaseLock = readonly [number, number];

/** "SAL" and the number of the store, because other programs may use the same database. */
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

/** @param key locked item of the store. Keys with the same hash wait for each other. */
export function lockOf(store: (typeof stores)[number], key = ''): DatabaseLock {
  const number = key === '' ? 0 : createHash('sha256').update(key).digest().readInt32BE(0);
  return [first + stores.indexOf(store), number];
}
