import { setTimeout as wait } from 'node:timers/promises';

/** Whatever takes long is looked at less often: a look may cost a request. */
const LONGEST_BETWEEN_LOOKS = 50;

/** Looks until it has found something. */
export async function eventually<Found>(look: () => Found | undefined | Promise<Found | undefined>): Promise<Found> {
  const since = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const waited = performance.now() - since;
    // a test that is over, whose limit has kept the process until then, leaves nothing that goes on looking
    await wait(Math.min(LONGEST_BETWEEN_LOOKS, Math.max(10, waited / 10)), undefined, { ref: false });
  }
}
