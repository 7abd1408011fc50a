import { messageOf } from '../error-message.js';
import type { Condition } from './health.js';

const REMEMBERED_MILLISECONDS = 1_000;

/** A condition that is looked at once a second at most: balancers, monitors and the console all ask. */
export function remembered(condition: Condition, now: () => number = () => performance.now()): Condition {
  let latest: { readonly at: number; readonly fault: string | undefined } | undefined;
  return {
    ...condition,
    fault: async () => {
      if (latest === undefined || now() - latest.at >= REMEMBERED_MILLISECONDS) {
        latest = { fault: await condition.fault().catch(messageOf), at: now() };
      }
      return latest.fault;
    },
  };
}
