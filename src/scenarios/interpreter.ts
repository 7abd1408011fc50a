import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../lib/errors.js';
import { type StopSignal, StopSource } from '../lib/stop-signal.js';
import { MILLISECONDS_A_PEER } from '../lib/turns/fair-turns.js';
import type { AssembledInstruction, PresentationModule } from './assembly.js';
import { MappingLimitError } from './map/mapping.js';
import { ScenarioAbendError } from './scenario-abend-error.js';
import type { ScenarioOutcome, ScenarioRequest } from './scenario-outcome.js';
import { flow, type RunSurroundings, type ScenarioLimits, type ScenarioPorts, ScenarioRun } from './scenario-run.js';
import { shownVariables, type TracedStep, writtenTraceOf } from './scenario-trace.js';
import type { ScenarioEnding, SessionEffects } from './session-effects.js';
import type { StartedKind } from './syntax.js';

/** Number of instructions between two pauses for the event loop; long instructions cause earlier pauses. */
const STEPS_AT_A_STRETCH = 2_000;

export interface RunOptions {
  readonly ports: ScenarioPorts;
  readonly limits: ScenarioLimits;
  readonly codePage: string;
  readonly signal: StopSignal;
  readonly session?: Partial<Omit<RunSurroundings, 'kind'>>;
}

export interface FinishedRun {
  readonly outcome: ScenarioOutcome;
  readonly ending: ScenarioEnding;
  readonly effects: SessionEffects;
}

/** @throws ServiceError for ERROR$, an unhandled abend, or an exceeded limit */
export async function runScenario(
  module: PresentationModule,
  kind: StartedKind,
  request: ScenarioRequest,
  options: RunOptions,
): Promise<FinishedRun> {
  const scenario = module.scenarios.get(kind);
  if (scenario === undefined) {
    throw new ServiceError('SVC_ERR_SCENARIO_UNAVAILABLE', { detail: `module ${module.name} has no ${kind} scenario` });
  }
  const stop = new StopSource();
  let timeIsOver = false;
  const timer = setTimeout(() => {
    timeIsOver = true;
    stop.abort();
  }, options.limits.seconds * 1000);
  const clientGone = () => stop.abort();
  options.signal.addEventListener('abort', clientGone);
  if (options.signal.aborted) stop.abort();
  const { name, instructions } = module;
  const run = new ScenarioRun(
    name,
    instructions.length,
    request,
    options.ports,
    options.limits,
    stop,
    options.codePage,
    { kind, screen: undefined, variables: undefined, isFirstPass: true, signOn: undefined, ...options.session },
    (target) => executeSubroutine(run, instructions, target),
  );
  run.written = writtenTraceOf(options.ports.sinks, kind, run);
  try {
    await execute(run, instructions, scenario.start);
    run.written?.ended(`ends: ${run.ending}`);
  } catch (fault) {
    run.written?.ended(`fails: ${fault instanceof Error ? fault.message : 'for an unknown reason'}`);
    if (timeIsOver) {
      const detail = `module ${name} ran longer than ${options.limits.seconds} s`;
      throw new ServiceError('SVC_ERR_SCENARIO_TIME', { detail, cause: fault });
    }
    throw fault instanceof ScenarioAbendError ? fault.asServiceError(name, instructions[run.at]?.source) : fault;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', clientGone);
  }
  return { outcome: outcomeOf(run), ending: run.ending, effects: run.effects };
}

const endings: ReadonlyMap<number, ScenarioEnding> = new Map([
  [flow.ended, 'end'],
  [flow.discarded, 'discard'],
  [flow.succeeded, 'success'],
  [flow.failed, 'fail'],
]);

type Instructions = readonly AssembledInstruction[];

/** Executes from `start` until the scenario ends, or until a subroutine called by a mapping returns. */
async function execute(run: ScenarioRun, instructions: Instructions, start: number): Promise<void> {
  const depth = run.performDepth;
  run.at = start;
  let restedAt = performance.now();
  while (!run.ended) {
    const instruction = instructions[run.at];
    if (instruction === undefined) return;
    if (++run.steps % STEPS_AT_A_STRETCH === 0 || performance.now() - restedAt > MILLISECONDS_A_PEER) {
      await setImmediate();
      restedAt = performance.now();
    }
    if (run.signal.aborted) throw new ScenarioAbendError('the run was stopped');
    try {
      refuseLoop(run);
      const begun = run.isTraced ? performance.now() : undefined;
      const result = instruction.step(run);
      const next = typeof result === 'number' ? result : await result;
      if (typeof result !== 'number') restedAt = performance.now();
      if (run.isTraced) noteStep(run, instructions, begun, next);
      // a subroutine called by a mapping may already have ended the run
      const ending = run.ended ? run.ending : endings.get(next);
      if (ending !== undefined) {
        run.ended = true;
        run.ending = ending;
      } else run.at = next === flow.next ? run.at + 1 : next;
    } catch (fault) {
      run.at = handlerOf(run, instruction, fault, depth);
    }
  }
}

/** The return address after the last instruction ends `execute` at the RETURN$ of a subroutine called by a mapping. */
async function executeSubroutine(run: ScenarioRun, instructions: Instructions, target: number): Promise<void> {
  const { at } = run;
  run.enterSubroutine(instructions.length);
  await execute(run, instructions, target);
  run.at = at;
}

function refuseLoop(run: ScenarioRun): void {
  if (run.steps > run.limits.steps) {
    throw new ScenarioAbendError(`more than ${run.limits.steps} instructions were executed`, 'SVC_ERR_SCENARIO_LIMIT');
  }
  if (run.steps > run.loopGuard) {
    throw new ScenarioAbendError(
      `a loop was detected: ${run.loopGuard} instructions were executed`,
      'SVC_ERR_SCENARIO_LOOP',
    );
  }
}

/**
 * Returns the index at which HANDLE$ continues the run after an error. Each handler applies once, to prevent a loop.
 * @param depth PERFORM$ depth of this `execute`; a handler with a smaller depth belongs to the caller of the mapping,
 * so the error is thrown to that caller
 */
function handlerOf(run: ScenarioRun, instruction: AssembledInstruction, fault: unknown, depth: number): number {
  const abend =
    fault instanceof MappingLimitError ? new ScenarioAbendError(fault.message, 'SVC_ERR_SCENARIO_LIMIT') : fault;
  if (!(abend instanceof ScenarioAbendError) || run.signal.aborted) throw abend;
  if (run.isTraced) {
    const failed = { milliseconds: 0, failure: abend.message };
    run.trace?.add(instruction.source, failed);
    run.written?.step(instruction.source, failed, run.takeSet());
  }
  const loop = abend.code === 'SVC_ERR_SCENARIO_LOOP';
  const handler = loop ? run.loopHandler : run.abendHandler;
  if (handler === undefined || handler.performDepth < depth || run.steps > run.limits.steps) throw abend;
  if (loop) {
    run.loopHandler = undefined;
    run.loopGuard = run.limits.steps;
  } else {
    run.abendHandler = undefined;
  }
  run.unwindTo(handler.performDepth);
  return handler.target;
}

function noteStep(run: ScenarioRun, instructions: Instructions, begun: number | undefined, next: number): void {
  const instruction = instructions[run.at];
  if (instruction === undefined) return;
  const target = instructions[next];
  const set = run.takeSet();
  const numericFaults = run.takeNumericFaults();
  const step: TracedStep = {
    // the step that starts the trace has no start time
    milliseconds: begun === undefined ? 0 : Math.round((performance.now() - begun) * 1000) / 1000,
    ...(target === undefined ? {} : { jumpsToLine: target.source.line }),
    ...(run.notFound ? { notFound: true } : {}),
    ...(numericFaults.length > 0 ? { numericFaults } : {}),
  };
  run.written?.step(instruction.source, step, set);
  if (run.trace === undefined) return;
  const shown = shownVariables(set);
  run.trace.add(instruction.source, shown === undefined ? step : { ...step, set: shown });
}

function outcomeOf(run: ScenarioRun): ScenarioOutcome {
  if (run.answer !== undefined) return run.answer;
  return {
    kind: 'page',
    page: run.effects.temporaryPage ?? run.effects.page,
    valuesOf: (variable) => run.variables.texts(variable),
    trace: run.trace?.toJson(run.moduleName),
    codePage: run.codePage,
  };
}
