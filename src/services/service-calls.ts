import type { Actor } from '../access/audit/audit-entry.js';
import { type Metrics, noMetrics } from '../lib/metrics.js';
import type { ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import { maskSecrets, secretNames, secretsOf, withheld } from './mask-secrets.js';
import type { PoolOutcome, PoolState } from './pool-state.js';
import type { WalkOutcome } from './run-steps.js';
import { callScenario, type RunScenarioService, type ScenarioCallOutcome } from './scenario-calls.js';
import type { ScenarioTurns } from './scenario-turns.js';
import type { ServiceDefinition } from './service-definition.js';
import type { SessionPool } from './session-pool.js';

interface ServiceCall {
  readonly service: string;
  readonly values: ReadonlyMap<string, string>;
  readonly caller: string;
  readonly by: Actor;
  readonly requestId?: string;
  /** Cancels the call: it leaves the queue, or its walk ends and the pool reuses or replaces its session. */
  readonly signal: AbortSignal;
}

/** Contains no secrets of the call, except in extracts. */
export type CallOutcome = WalkOutcome | PoolOutcome | ScenarioCallOutcome;

interface ServiceScenarios {
  readonly run: RunScenarioService;
  readonly turns: ScenarioTurns;
}

interface ServiceCallsOptions {
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly pools: ReadonlyMap<string, SessionPool>;
  /** If undefined, services with scenarios cannot be called. */
  readonly scenarios?: ServiceScenarios;
  readonly metrics?: Pick<Metrics, 'serviceCalled'>;
}

export class ServiceCalls {
  /** Services with a pool or a scenario, by name. Services without are used by pools to sign on and off. */
  readonly definitions: ReadonlyMap<string, ServiceDefinition>;
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly #pools: ReadonlyMap<string, SessionPool>;
  readonly #scenarios: ServiceScenarios | undefined;
  readonly #metrics: Pick<Metrics, 'serviceCalled'>;

  constructor({ screens, services, pools, scenarios, metrics = noMetrics }: ServiceCallsOptions) {
    this.#scenarios = scenarios;
    this.#metrics = metrics;
    this.definitions = new Map(
      [...services].filter(([, { pool, work }]) =>
        work.kind === 'scenario' ? scenarios !== undefined : pool !== undefined && pools.has(pool),
      ),
    );
    this.screens = screens;
    this.#pools = pools;
  }

  get poolStates(): readonly PoolState[] {
    return [...this.#pools.values()].map(({ state }) => state);
  }

  /**
   * Walks the screens of a service in a session of its pool, or runs its scenario.
   * @throws RangeError if the service does not exist; ServiceError SVC_ERR_AUDIT_UNAVAILABLE if a file transfer cannot
   * be recorded; the abort reason of `signal`
   */
  async call(call: ServiceCall): Promise<CallOutcome> {
    const definition = this.definitions.get(call.service);
    if (definition === undefined) throw new RangeError('there is no such service');
    try {
      const outcome = await this.#run(definition, call);
      this.#metrics.serviceCalled(call.service, outcome.kind);
      return outcome;
    } catch (error) {
      this.#metrics.serviceCalled(call.service, call.signal.aborted ? 'abandoned' : 'broken');
      throw error;
    }
  }

  async #run(
    definition: ServiceDefinition,
    { service, values, caller, by, requestId = '', signal }: ServiceCall,
  ): Promise<CallOutcome> {
    const { parameters, work } = definition;
    if (work.kind === 'scenario') {
      if (this.#scenarios === undefined) throw new RangeError('there are no scenarios');
      const { run, turns } = this.#scenarios;
      return callScenario(run, turns, { service, scenario: work, parameters, values, caller, requestId, signal });
    }
    const pool = this.#pools.get(definition.pool ?? '');
    if (pool === undefined) throw new RangeError('there is no such pool');
    const { steps } = work;
    const secrets = secretsOf(parameters, values);
    const outcome = await pool.walk({ service, by, steps, screens: this.screens, values, secrets, caller, signal });
    return withheld(maskSecrets(outcome, secrets), steps, secretNames(parameters, values));
  }
}
