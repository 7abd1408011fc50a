import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same; how long it takes says nothing of them. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
