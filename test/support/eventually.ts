import { setTimeout as wait } from 'node:timers/promises';

/** Longest interval: a check may cost a request. */
const LONGEST_BETWEEN_LOOKS = 50;

/** Repeats a check until it returns a value. */
export async function eventually<Found>(look: () => Found | undefined | Promise<Found | undefined>): Promise<Found> {
  const since = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const waited = performance.now() - since;
    // an unreferenced timer: a test that has timed out must not keep the process running
    await wait(Math.min(LONGEST_BETWEEN_LOOKS, Math.max(10, waited / 10)), undefined, { ref: false });
  }
}
