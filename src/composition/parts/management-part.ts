import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import { InboundLine } from '../../line/inbound-line.js';
import type { Log } from '../../log.js';
import { folderCondition } from '../../management/folder-probe.js';
import { type Condition, Health, type ServerPhase } from '../../management/health.js';
import { managementLimits, managementListener, managementRefusal } from '../../management/management-listener.js';
import { Metrics, type ServerState } from '../../management/metrics.js';
import { type Measures, noMeasures } from '../../measures.js';
import { type Listener, WAITS_FOR_PORT } from '../listener.js';
import { type Part, type Replacement, refused, unchanged } from '../part.js';

/** What is looked at for health and metrics. */
interface WatchedServer {
  readonly conditions: () => readonly Condition[];
  readonly state: () => ServerState;
}

interface OpenPort {
  readonly line: InboundLine;
  readonly metrics: Metrics;
}

const NAME = 'management';

/** Health, and the management port, which tells of it and of metrics. It opens before all other parts and closes after them. */
export class ManagementPart implements Part {
  readonly name = 'management port';
  readonly reads = ['management'] as const;
  phase: ServerPhase = 'starting';
  readonly health: Health;
  readonly #settings: Configuration['management'];
  readonly #port: OpenPort | undefined;
  readonly #stores: readonly Condition[];
  #watched: WatchedServer | undefined;

  constructor({ management, data, macros, security }: Configuration, log: Log) {
    this.#settings = management;
    const folders = new Set([data, dirname(security.database), ...(macros === undefined ? [] : [macros])]);
    this.#stores = [...folders].map((folder) => folderCondition(`folder ${folder}`, folder));
    this.health = new Health({
      phase: () => this.phase,
      conditions: () => [...(this.#watched?.conditions() ?? []), ...this.#stores],
    });
    if (management === undefined) return;
    const metrics = new Metrics(installedVersion(), () => this.#watched?.state());
    const definition = { name: NAME, externalName: NAME, ...management, tls: undefined, limits: managementLimits };
    const line = new InboundLine(definition, managementListener(this.health, metrics), log, managementRefusal);
    this.#port = { line, metrics };
  }

  /** What happens is told to this. */
  get measures(): Measures {
    return this.#port?.metrics ?? noMeasures;
  }

  get listeners(): readonly Listener[] {
    if (this.#port === undefined) return [];
    const { url, state } = this.#port.line;
    const waits = state === 'listening' ? '' : WAITS_FOR_PORT;
    return [{ name: NAME, url, purpose: `health and metrics${waits}` }];
  }

  watch(server: WatchedServer): void {
    this.#watched = server;
  }

  async start(): Promise<void> {
    await this.#port?.line.start();
  }

  async stop(graceMilliseconds: number): Promise<void> {
    this.#port?.metrics.stop();
    await this.#port?.line.stop(graceMilliseconds);
  }

  async replace({ management }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(management, this.#settings)) return unchanged;
    return refused({ what: 'management', reason: 'it is opened before everything else' });
  }
}
