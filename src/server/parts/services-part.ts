import { isDeepStrictEqual } from 'node:util';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import { soundValue } from '../../lib/read-outcome.js';
import { screensOfService } from '../../services/merge-screens.js';
import type { PoolDefinition } from '../../services/pool-state.js';
import type { PoolContext } from '../../services/pooled-session.js';
import type { RunScenarioService } from '../../services/scenario-calls.js';
import { ScenarioTurns } from '../../services/scenario-turns.js';
import { ServiceCalls } from '../../services/service-calls.js';
import type { ServiceStep } from '../../services/service-definition.js';
import { SessionPool } from '../../services/session-pool.js';
import type { SessionHost } from '../../sessions/session-host.js';
import { noTerminalWishes } from '../../sessions/session-host.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import { type Part, type Replacement, unchanged } from '../part.js';
import type { HostsPart } from './hosts-part.js';
import type { OutboundPart } from './outbound-part.js';
import type { PagesPart } from './pages-part.js';
import { scenarioServices } from './scenario-services.js';
import type { ScenariosPart } from './scenarios-part.js';
import type { SessionsPart } from './sessions-part.js';

type Settings = Pick<Configuration, 'services' | 'pools' | 'hosts'>;

/** Everything that determines a pool. If it is unchanged, the pool stays. */
interface PoolMakeUp {
  readonly definition: PoolDefinition;
  readonly context: PoolContext;
  readonly host: Configuration['hosts'] extends ReadonlyMap<string, infer Host> ? Host | undefined : never;
}

interface ServedPool {
  readonly makeUp: PoolMakeUp;
  readonly pool: SessionPool;
}

interface ServiceContext {
  readonly hosts: HostsPart;
  readonly pages: PagesPart;
  readonly scenarios: ScenariosPart;
  readonly outbound: OutboundPart;
  readonly sessions: SessionsPart;
  readonly security: { readonly users: { readonly audit: Pick<AuditTrail, 'record'> } };
}

export class ServicesPart implements Part {
  readonly name = 'services';
  readonly reads = ['services', 'pools'] as const;
  readonly #context: ServiceContext;
  readonly #turns = new ScenarioTurns();
  readonly #log: Log;
  readonly #metrics: Metrics;
  #settings: Settings;
  #pools: ReadonlyMap<string, ServedPool> = new Map();
  #calls = new ServiceCalls({ screens: new Map(), services: new Map(), pools: new Map() });
  /** Replaced pools that may still have calls in progress. */
  #retired: SessionPool[] = [];

  constructor({ services, pools, hosts }: Configuration, context: ServiceContext, log: Log, metrics = noMetrics) {
    this.#metrics = metrics;
    this.#settings = { services, pools, hosts };
    this.#context = context;
    this.#log = log;
  }

  /** Current services. Callers may keep them across a reload. */
  get calls(): ServiceCalls {
    return this.#calls;
  }

  /** Includes replaced pools. */
  get pools(): readonly SessionPool[] {
    return [...this.#retired, ...[...this.#pools.values()].map(({ pool }) => pool)];
  }

  drainPool(name: string): void {
    this.#pools.get(name)?.pool.drain();
  }

  resumePool(name: string): void {
    this.#pools.get(name)?.pool.resume();
  }

  /** Contents of the services folder when it was last loaded. */
  get loaded(): Configuration['services'] {
    return this.#settings.services;
  }

  async start(): Promise<void> {
    this.#serve(this.#settings);
  }

  async stop(graceMilliseconds: number): Promise<void> {
    await Promise.all([this.#turns.stop(), ...this.pools.map((pool) => pool.stop(graceMilliseconds))]);
  }

  /** An unchanged pool keeps its sessions. A changed pool signs on again. */
  async replace({ services, pools, hosts }: Configuration): Promise<Replacement> {
    const settings = { services, pools, hosts };
    const hasServices = isDeepStrictEqual(services, this.#settings.services);
    const hasPools = isDeepStrictEqual(pools, this.#settings.pools);
    return {
      ...unchanged,
      takenOver: [...(hasServices ? [] : ['services']), ...(hasPools ? [] : ['pools'])],
      take: () => this.#serve(settings),
    };
  }

  #serve(settings: Settings): void {
    const { services, pools: definitions } = settings;
    const before = this.#pools;
    const pools = new Map<string, ServedPool>();
    const made: SessionPool[] = [];
    for (const definition of definitions) {
      const known = before.get(definition.name);
      const makeUp = makeUpOf(definition, settings);
      const isSame = known !== undefined && isDeepStrictEqual(known.makeUp, makeUp);
      const served = isSame ? known : this.#make(makeUp, known?.pool);
      if (served === undefined) continue;
      if (!isSame) made.push(served.pool);
      pools.set(definition.name, served);
    }
    this.#settings = settings;
    this.#pools = pools;
    this.#calls = new ServiceCalls({
      ...services,
      pools: new Map([...pools].map(([name, { pool }]) => [name, pool])),
      scenarios: { run: this.#runScenarios(), turns: this.#turns },
      metrics: this.#metrics,
    });
    const kept = new Set([...pools.values()].map(({ pool }) => pool));
    const retiring = [...before.values()].map(({ pool }) => pool).filter((pool) => !kept.has(pool));
    this.#retired = [...this.#retired.filter((pool) => !pool.isEmpty), ...retiring];
    for (const pool of retiring) pool.retire();
    for (const pool of made) pool.start();
  }

  /** Uses the current pages, lines and hosts. Callers may keep it across a reload. */
  #runScenarios(): RunScenarioService {
    const { pages, scenarios, outbound, sessions, hosts } = this.#context;
    return scenarioServices({
      scenarios: scenarios.serviceWith(pages.pages, outbound.lines),
      sessions: sessions.service,
      hosts: hosts.sessionHosts,
      log: this.#log,
    });
  }

  #make(makeUp: PoolMakeUp, before: SessionPool | undefined): ServedPool | undefined {
    const { definition, context } = makeUp;
    const sessionHost: SessionHost | undefined = this.#context.hosts.sessionHosts.get(definition.host);
    // A new host that needs a restart.
    if (sessionHost === undefined) return undefined;
    const host = soundValue(sessionHost.optionsFor(noTerminalWishes));
    const [log, metrics] = [this.#log, this.#metrics];
    const { audit } = this.#context.security.users;
    const pool = new SessionPool({ definition, context, host, audit, log, before, metrics });
    // A pool drained by an operator stays drained across a reload.
    if (before?.state.isDrained === true) pool.drain();
    return { makeUp, pool };
  }
}

function makeUpOf(definition: PoolDefinition, { services: { screens, services }, hosts }: Settings): PoolMakeUp {
  const used = new Map<string, ScreenDefinition>();
  const stepsOf = (name: string): readonly ServiceStep[] => {
    const service = services.get(name);
    if (service?.work.kind !== 'steps') return [];
    for (const screen of screensOfService(service)) {
      const definition = screens.get(screen);
      if (definition !== undefined) used.set(screen, definition);
    }
    return service.work.steps;
  };
  const home = screens.get(definition.home);
  if (home === undefined) throw new Error(`pool ${definition.name}: no screen ${definition.home}`);
  const { signOn, signOff, returnHome } = definition;
  return {
    definition,
    context: {
      // Only the screens in use, so that changes of other screens do not affect the pool.
      screens: used,
      signOn: stepsOf(signOn),
      signOff: signOff === undefined ? undefined : stepsOf(signOff),
      home,
      returnHome,
    },
    host: hosts.get(definition.host),
  };
}
