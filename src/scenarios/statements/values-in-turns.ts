import { atOnce, inTurns, type RestingWork } from '../../lib/turns/work-in-turns.js';
import type { ScenarioRun } from '../scenario-run.js';
import { type ScenarioValue, sizeOf } from '../value.js';

const FEW_BYTES = 1 << 14;

/** Runs `work` and then `done`; work on large values pauses for other clients. */
export function doneWithValues<Result, Done>(
  { request: { names } }: Pick<ScenarioRun, 'request'>,
  values: readonly ScenarioValue[],
  work: RestingWork<Result>,
  done: (result: Result) => Done,
): Done | Promise<Done> {
  const bytes = values.reduce((sum, value) => sum + sizeOf(value), 0);
  return bytes > FEW_BYTES ? inTurns(work, names.client?.peer).then(done) : done(atOnce(work));
}
