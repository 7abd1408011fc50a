import type { ScenarioRun } from './scenario-run.js';

/** What a step says of how the run goes on: an index of the step to jump to, or one of `flow`. */
export const flow = { next: -1, ended: -2, discarded: -3, succeeded: -4, failed: -5 } as const;

/** Does one instruction. Synchronous but for those that wait for the outside. */
export type Step = (run: ScenarioRun) => number | Promise<number>;
