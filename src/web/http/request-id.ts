import { randomInt } from 'node:crypto';

const processPrefix = randomInt(36 ** 5, 36 ** 6).toString(36);
let counter = 0;

/** Unique within and between processes, for logs; not meant to be hard to guess. */
export function nextRequestId(): string {
  counter += 1;
  return `${processPrefix}-${counter.toString(36)}`;
}
