import { messageOf } from '../../lib/text/messages.js';
import type { Condition } from './health.js';

const REMEMBERED_MILLISECONDS = 1_000;

/** A condition that is checked once a second at most, and once at a time: balancers, monitors and the console all ask. */
export function remembered(condition: Condition, now: () => number = () => performance.now()): Condition {
  let latest: { readonly at: number; readonly fault: string | undefined } | undefined;
  let running: Promise<string | undefined> | undefined;
  const check = async () => {
    const fault = await condition.fault().catch(messageOf);
    latest = { at: now(), fault };
    running = undefined;
    return fault;
  };
  return {
    ...condition,
    fault: async () => {
      if (latest !== undefined && now() - latest.at < REMEMBERED_MILLISECONDS) return latest.fault;
      running ??= check();
      return running;
    },
  };
}
