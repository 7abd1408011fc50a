import { ServiceError } from '../lib/errors.js';
import type { Log } from '../lib/log/log.js';
import { type Metrics, secondsSince } from '../lib/metrics.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { type FinishedRun, type RunOptions, runScenario } from './interpreter.js';
import type { ModuleStore } from './module-store.js';
import type { ScenarioRequest } from './scenario-outcome.js';
import type { ScenarioLimits, ScenarioPorts } from './scenario-run.js';
import type { StartedKind } from './syntax.js';
import { VariableStore } from './variable-store.js';

interface ScenarioServiceOptions {
  readonly modules: ModuleStore;
  readonly ports: ScenarioPorts;
  readonly limits: ScenarioLimits;
  readonly codePage: string;
  readonly metrics: Pick<Metrics, 'scenarioEnded'>;
}

export class ScenarioService {
  readonly #options: ScenarioServiceOptions;

  constructor(options: ScenarioServiceOptions) {
    this.#options = options;
  }

  has(moduleName: string, kind: StartedKind): boolean {
    return this.#options.modules.find(moduleName)?.scenarios.has(kind) === true;
  }

  loggingTo(log: Log): ScenarioService {
    return new ScenarioService({ ...this.#options, ports: { ...this.#options.ports, log } });
  }

  newVariables(): VariableStore {
    return new VariableStore(this.#options.limits);
  }

  /**
   * Runs a scenario of a module.
   *
   * @throws ServiceError (synchronously or as a rejection) SVC_ERR_SCENARIO_UNAVAILABLE if no such module has
   * assembled, and the errors of the run
   */
  run(
    moduleName: string | undefined,
    kind: StartedKind,
    request: ScenarioRequest,
    signal: StopSignal,
    session: RunOptions['session'] = {},
  ): Promise<FinishedRun> {
    const { modules, ports, limits, codePage, metrics } = this.#options;
    const module = moduleName === undefined ? undefined : modules.find(moduleName);
    if (module === undefined) {
      const detail = `there is no assembled module ${moduleName ?? '(no name given)'}`;
      throw new ServiceError('SVC_ERR_SCENARIO_UNAVAILABLE', { detail });
    }
    return measured(metrics, module.name, () =>
      runScenario(module, kind, request, { ports, limits, codePage, signal, session }),
    );
  }
}

async function measured(
  metrics: ScenarioServiceOptions['metrics'],
  scenario: string,
  run: () => Promise<FinishedRun>,
): Promise<FinishedRun> {
  const since = performance.now();
  try {
    const finished = await run();
    metrics.scenarioEnded(scenario, finished.ending, secondsSince(since));
    return finished;
  } catch (error) {
    metrics.scenarioEnded(scenario, error instanceof ServiceError ? error.code : 'failed', secondsSince(since));
    throw error;
  }
}
