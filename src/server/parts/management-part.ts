import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import type { Log } from '../../lib/log/log.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import { InboundLine } from '../../lines/listener/inbound-line.js';
import { folderCondition } from '../../operation/health/folder-probe.js';
import { type Condition, Health, type ServerPhase } from '../../operation/health/health.js';
import {
  type HealthSource,
  type MetricsSource,
  managementLimits,
  managementListener,
  managementRefusal,
} from '../../operation/management-listener.js';
import { PrometheusMetrics, type ServerState } from '../../operation/metrics/prometheus-metrics.js';
import { type Listener, needsRestartOutcome, type Part, type Replacement, unchanged, WAITS_FOR_PORT } from '../part.js';

const NAME = 'management';

export function managementLine(
  address: NonNullable<Configuration['management']>,
  sources: { readonly health: HealthSource; readonly metrics: MetricsSource },
  log: Log,
): InboundLine {
  const definition = { name: NAME, externalName: NAME, ...address, tls: undefined, limits: managementLimits };
  return new InboundLine(definition, managementListener(sources.health, sources.metrics), log, managementRefusal);
}

export function managementListed({ url, state }: InboundLine): Listener {
  const waits = state === 'listening' ? '' : WAITS_FOR_PORT;
  return { name: NAME, url, purpose: `health and metrics${waits}` };
}

interface WatchedServer {
  readonly conditions: () => readonly Condition[];
  readonly state: () => ServerState;
}

/**
 * Health, metrics and the management port. It opens before all other parts and closes after them. For workers, the
 * supervisor has the port.
 */
export class ManagementPart implements Part {
  readonly name = 'management port';
  readonly reads = ['management'] as const;
  phase: ServerPhase = 'starting';
  readonly health: Health;
  readonly #settings: Configuration['management'];
  readonly prometheus: PrometheusMetrics | undefined;
  readonly #line: InboundLine | undefined;
  readonly #stores: readonly Condition[];
  #watched: WatchedServer | undefined;

  constructor({ management, data, macros, security }: Configuration, log: Log, worker: string | undefined) {
    this.#settings = management;
    const folders = new Set([data, dirname(security.database), ...(macros === undefined ? [] : [macros])]);
    this.#stores = [...folders].map((folder) => folderCondition(`folder ${folder}`, folder));
    this.health = new Health({
      phase: () => this.phase,
      conditions: () => [...(this.#watched?.conditions() ?? []), ...this.#stores],
    });
    if (management === undefined) return;
    const measured = { state: () => this.#watched?.state(), checks: async () => (await this.health.all()).checks };
    this.prometheus = new PrometheusMetrics(installedVersion(), measured, worker);
    if (worker === undefined)
      this.#line = managementLine(management, { health: this.health, metrics: this.prometheus }, log);
  }

  get metrics(): Metrics {
    return this.prometheus ?? noMetrics;
  }

  get listeners(): readonly Listener[] {
    return this.#line === undefined ? [] : [managementListed(this.#line)];
  }

  watch(server: WatchedServer): void {
    this.#watched = server;
  }

  async start(): Promise<void> {
    await this.#line?.start();
  }

  async stop(graceMilliseconds: number): Promise<void> {
    this.prometheus?.stop();
    await this.#line?.stop(graceMilliseconds);
  }

  async replace({ management }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(management, this.#settings)) return unchanged;
    return needsRestartOutcome({ what: 'management', reason: 'it is opened before all other parts' });
  }
}
