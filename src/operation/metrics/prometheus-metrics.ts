import { Gauge, Registry } from 'prom-client';
import type { HostMetrics, Metrics } from '../../lib/metrics.js';
import type { HealthCheck } from '../health/health.js';
import { MetricCounter, MetricHistogram } from './metric-values.js';

/** State that is read whenever metrics are collected. Names are those of the configuration. */
export interface ServerState {
  readonly lines: readonly {
    readonly name: string;
    readonly connections: number;
    /** Undefined if an operator has stopped it. */
    readonly isListening: boolean | undefined;
    readonly certificateExpires: number | undefined;
  }[];
  readonly sessions: readonly { readonly line: string; readonly transaction: string }[];
  readonly pools: readonly {
    readonly name: string;
    readonly free: number;
    readonly lent: number;
    readonly between: number;
    readonly waiting: number;
    readonly isDrained: boolean;
  }[];
  readonly printers: readonly {
    readonly name: string;
    readonly isConnected: boolean;
    /** Share of the spool with unopened documents; undefined if there is no spool. */
    readonly unopenedShare: number | undefined;
  }[];
  readonly keysReady: number;
  /** Nodes of the cluster as this one sees them; empty without cluster. */
  readonly nodes: readonly { readonly code: string; readonly state: string }[];
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const BYTES = [64, 256, 1_024, 4_096, 16_384, 65_536, 262_144];
const LAG_INTERVAL_MILLISECONDS = 100;
const PREFIX = 'sallyport_';

function counter(name: string, help: string, ...labelNames: readonly string[]): MetricCounter {
  return new MetricCounter({ name: PREFIX + name, help, labelNames });
}

function histogram(name: string, help: string, buckets: readonly number[], ...labelNames: readonly string[]) {
  return new MetricHistogram({ name: PREFIX + name, help, buckets, labelNames });
}

interface MeasuredServer {
  state(): ServerState | undefined;
  checks(): Promise<readonly HealthCheck[]>;
}

export const CHECK_UP = {
  name: `${PREFIX}check_up`,
  help: '1 if the health check is UP, 0 if it is DOWN',
  labelNames: ['check'] as const,
};

/** Awaits the checks before it resets the gauge, because collections may be concurrent. */
export async function setChecks(gauge: Gauge<'check'>, checks: () => Promise<readonly HealthCheck[]>): Promise<void> {
  const found = await checks();
  gauge.reset();
  for (const { name, status } of found) gauge.set({ check: name }, status === 'UP' ? 1 : 0);
}

export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #counted = {
    requests: counter('requests_total', 'Answered requests', 'line', 'kind', 'status'),
    requestSeconds: histogram('request_seconds', 'Time from a request to its answer', SECONDS, 'line', 'kind'),
    connectSeconds: histogram('host_connect_seconds', 'Time to connect to a host, including TLS', SECONDS, 'host'),
    responseSeconds: histogram(
      'host_response_seconds',
      'Time from a key for the host to the unlocked keyboard',
      SECONDS,
      'host',
    ),
    updateBytes: histogram('screen_update_bytes', 'Size of a screen update for a page', BYTES),
    runs: counter('scenario_runs_total', 'Runs of scenarios', 'scenario', 'outcome'),
    runSeconds: histogram('scenario_seconds', 'Duration of a run', SECONDS, 'scenario'),
    truncations: counter(
      'scenario_truncations_total',
      'Values that are not numeric or whose integer digits did not fit',
      'scenario',
    ),
    outboundSeconds: histogram(
      'outbound_seconds',
      'Time of calls to other services, up to the end of the reply',
      SECONDS,
      'line',
    ),
    outboundFailures: counter('outbound_failures_total', 'Failed calls to other services', 'line', 'reason'),
    signOns: counter('sign_ons_total', 'Sign-ons of users', 'method', 'outcome'),
    uploads: counter('macro_uploads_total', 'Uploads of centralized macros', 'level', 'outcome'),
    calls: counter('service_calls_total', 'Calls of services', 'service', 'outcome'),
    poolWaits: histogram(
      'pool_wait_seconds',
      'Time until a call gets a session of its pool or is rejected',
      SECONDS,
      'pool',
    ),
    keyWaits: histogram('key_waits_seconds', 'Time until a session or a form gets its key pair', SECONDS),
    documents: counter('printed_documents_total', 'Documents printed by hosts', 'printer', 'outcome'),
    internalRefusals: counter('internal_line_refusals_total', 'Connections closed by the internal line', 'reason'),
    lag: histogram('event_loop_lag_seconds', 'Delay of timers', SECONDS),
  };
  readonly #hostSessions: Gauge<'host' | 'state'>;
  readonly #lag: NodeJS.Timeout;

  /** @param worker label of all metrics; undefined if there is only one process */
  constructor(version: string, { state, checks }: MeasuredServer, worker?: string) {
    if (worker !== undefined) this.#registry.setDefaultLabels({ worker });
    for (const metric of Object.values(this.#counted)) this.#registry.registerMetric(metric);
    const hosts = {
      name: `${PREFIX}host_sessions`,
      help: 'Sessions with hosts',
      labelNames: ['host', 'state'] as const,
    };
    this.#hostSessions = new Gauge({ ...hosts, registers: [this.#registry] });
    this.#gauge('build_info', 'Always 1; the version is in the label', ['version'], (set) => set(1, { version }));
    this.#gauge('line_connections', 'Connections open', ['line'], (set) => {
      for (const { name, connections } of state()?.lines ?? []) set(connections, { line: name });
    });
    this.#gauge('line_listening', '1 if the line listens, 0 if it should but does not', ['line'], (set) => {
      for (const { name, isListening } of state()?.lines ?? []) {
        if (isListening !== undefined) set(isListening ? 1 : 0, { line: name });
      }
    });
    this.#gauge(
      'line_certificate_expiry_seconds',
      'Expiry of the certificate, in seconds since 1970',
      ['line'],
      (set) => {
        for (const { name, certificateExpires } of state()?.lines ?? []) {
          if (certificateExpires !== undefined) set(certificateExpires / 1_000, { line: name });
        }
      },
    );
    this.#gauge('browser_sessions', 'Sessions of browsers', ['line', 'transaction'], (set) => {
      const counts = new Map<string, { line: string; transaction: string; count: number }>();
      for (const { line, transaction } of state()?.sessions ?? []) {
        const key = `${line} ${transaction}`;
        const of = counts.get(key) ?? { line, transaction, count: 0 };
        counts.set(key, of);
        of.count++;
      }
      for (const { count, ...labels } of counts.values()) set(count, labels);
    });
    this.#gauge('pool_sessions', 'Sessions of pools', ['pool', 'state'], (set) => {
      for (const { name: pool, free, lent, between } of state()?.pools ?? []) {
        set(free, { pool, state: 'free' });
        set(lent, { pool, state: 'lent' });
        set(between, { pool, state: 'between' });
      }
    });
    this.#gauge('pool_waiting_calls', 'Calls waiting for a session', ['pool'], (set) => {
      for (const { name: pool, waiting } of state()?.pools ?? []) set(waiting, { pool });
    });
    this.#gauge('printer_connected', '1 if the host may print, 0 if it may not', ['printer'], (set) => {
      for (const { name: printer, isConnected } of state()?.printers ?? []) set(isConnected ? 1 : 0, { printer });
    });
    const spoolHelp = 'Share of the spool used by unopened documents; full at 1 or more';
    this.#gauge('printer_spool_unopened_ratio', spoolHelp, ['printer'], (set) => {
      for (const { name: printer, unopenedShare } of state()?.printers ?? [])
        if (unopenedShare !== undefined) set(unopenedShare, { printer });
    });
    this.#gauge('pool_drained', '1 if an operator has drained the pool', ['pool'], (set) => {
      for (const { name: pool, isDrained } of state()?.pools ?? []) set(isDrained ? 1 : 0, { pool });
    });
    const checkUp: Gauge<'check'> = new Gauge({
      ...CHECK_UP,
      registers: [this.#registry],
      collect: () => setChecks(checkUp, checks),
    });
    this.#gauge('key_pool_ready', 'Key pairs that are ready for use', [], (set) => set(state()?.keysReady ?? 0, {}));
    this.#gauge('nodes', 'Servers of the cluster, as this one sees them', ['state'], (set) => {
      const nodes = state()?.nodes ?? [];
      for (const one of nodes.length === 0 ? [] : ['up', 'draining', 'gone'])
        set(nodes.filter((node) => node.state === one).length, { state: one });
    });
    this.#gauge('resident_memory_bytes', 'Memory of the process', [], (set) => set(process.memoryUsage.rss(), {}));
    this.#gauge('start_time_seconds', 'Start of the process, in seconds since 1970', [], (set) =>
      set(Date.now() / 1_000 - process.uptime(), {}),
    );
    this.#lag = this.#watchLag();
  }

  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  stop(): void {
    clearInterval(this.#lag);
  }

  ofHost(host: string): HostMetrics {
    const { connectSeconds, responseSeconds } = this.#counted;
    return {
      sessionMoved: (from, to) => {
        if (from !== undefined) this.#hostSessions.dec({ host, state: from });
        if (to !== undefined) this.#hostSessions.inc({ host, state: to });
      },
      connected: (seconds) => connectSeconds.measure(seconds, host),
      responded: (seconds) => responseSeconds.measure(seconds, host),
    };
  }

  requestAnswered(line: string, kind: string, status: number, seconds: number): void {
    this.#counted.requests.count(line, kind, String(status));
    this.#counted.requestSeconds.measure(seconds, line, kind);
  }

  screenUpdated(bytes: number): void {
    this.#counted.updateBytes.measure(bytes);
  }

  scenarioEnded(scenario: string, outcome: string, seconds: number): void {
    this.#counted.runs.count(scenario, outcome);
    this.#counted.runSeconds.measure(seconds, scenario);
  }

  scenarioTruncated(scenario: string): void {
    this.#counted.truncations.count(scenario);
  }

  outboundEnded(line: string, failure: string | undefined, seconds: number): void {
    this.#counted.outboundSeconds.measure(seconds, line);
    if (failure !== undefined) this.#counted.outboundFailures.count(line, failure);
  }

  signOnEnded(method: string, outcome: string): void {
    this.#counted.signOns.count(method, outcome);
  }

  macrosUploaded(level: string, outcome: string): void {
    this.#counted.uploads.count(level, outcome);
  }

  serviceCalled(service: string, outcome: string): void {
    this.#counted.calls.count(service, outcome);
  }

  poolWaited(pool: string, seconds: number): void {
    this.#counted.poolWaits.measure(seconds, pool);
  }

  keyWaited(seconds: number): void {
    this.#counted.keyWaits.measure(seconds);
  }

  documentPrinted(printer: string, outcome: string): void {
    this.#counted.documents.count(printer, outcome);
  }

  internalLineRefused(reason: string): void {
    this.#counted.internalRefusals.count(reason);
  }

  #gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: (set: (value: number, labels: Readonly<Record<string, string>>) => void) => void,
  ): void {
    const gauge: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        collect((value, labels) => gauge.set(labels, value));
      },
    });
  }

  #watchLag(): NodeJS.Timeout {
    let due = performance.now() + LAG_INTERVAL_MILLISECONDS;
    return setInterval(() => {
      const now = performance.now();
      this.#counted.lag.measure(Math.max(0, now - due) / 1_000);
      due = now + LAG_INTERVAL_MILLISECONDS;
    }, LAG_INTERVAL_MILLISECONDS).unref();
  }
}
