import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again until there is something; the test's own time limit ends it. */
export async function eventually<Found>(look: () => Found | undefined | Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(10);
  }
}
