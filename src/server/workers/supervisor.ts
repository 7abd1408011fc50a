import cluster from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, Registry } from 'prom-client';
import type { RestartBounds } from '../../../machines/worker.machine.js';
import type { Configuration } from '../../config/configuration.js';
import { type Reason, reasonText } from '../../lib/locale.js';
import type { Log } from '../../lib/log/log.js';
import type { InboundLine } from '../../lines/listener/inbound-line.js';
import {
  checkOf,
  type HealthCheck,
  type HealthReport,
  phaseFaults,
  reportOf,
  type ServerPhase,
} from '../../operation/health/health.js';
import type { HealthSource, MetricsSource } from '../../operation/management-listener.js';
import { CHECK_UP, setChecks } from '../../operation/metrics/prometheus-metrics.js';
import type { Listener } from '../part.js';
import { managementLine, managementListed } from '../parts/management-part.js';
import { KeptPorts } from './kept-ports.js';
import { WorkerLife, type WorkerState } from './worker-life.js';

const restartBounds: RestartBounds = {
  failedStarts: 10,
  withinMilliseconds: 60_000,
  waitMilliseconds: [100, 500, 1_000, 2_000, 5_000],
};
/** Limit for a worker to stop: requests in progress, sessions and pools. */
const STOP_MILLISECONDS = 20_000;
const MINUTE = 60_000;

interface SupervisorContext {
  readonly log: Log;
  /** Also reports the faults. */
  checkConfiguration(): Promise<boolean>;
  drained(): void;
}

/** Runs the workers of a machine. They share the ports of all lines, and connections are distributed in turn. */
export class Supervisor {
  readonly #configuration: Configuration;
  readonly #context: SupervisorContext;
  readonly #seats: readonly WorkerLife[];
  readonly #management: InboundLine | undefined;
  /** Private to this user. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-'));
  readonly #ports = new KeptPorts();
  #phase: ServerPhase = 'starting';
  #isRestarting = false;

  constructor(configuration: Configuration, context: SupervisorContext) {
    this.#configuration = configuration;
    this.#context = context;
    const { processes, node = '', drainMinutes, workerStartSeconds, workerSilenceSeconds, management } = configuration;
    const { log } = context;
    this.#seats = Array.from({ length: processes }, (_, at) => {
      return new WorkerLife(`${node}${at + 1}`, {
        log,
        folder: this.#folder,
        ports: this.#ports,
        bounds: restartBounds,
        startMilliseconds: workerStartSeconds * 1_000,
        drainMilliseconds: drainMinutes * MINUTE + STOP_MILLISECONDS,
        stopMilliseconds: STOP_MILLISECONDS,
        silenceMilliseconds: workerSilenceSeconds * 1_000,
        wished: (wish) => (wish === 'restart' ? this.restart() : this.#drainIfServing()),
      });
    });
    // A second signal ends the process without `stop`.
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
    const health = new MachineHealth(() => this.#phase, this.#seats);
    const metrics = new MachineMetrics(this.#seats, async () => (await health.all()).checks);
    this.#management = management && managementLine(management, { health, metrics }, log);
  }

  get listeners(): readonly Listener[] {
    const ofWorkers = this.#seats[0]?.serving?.listeners ?? [];
    return [...ofWorkers, ...(this.#management === undefined ? [] : [managementListed(this.#management)])];
  }

  get linesWithoutPort(): readonly string[] {
    return this.#seats[0]?.serving?.withoutPort ?? [];
  }

  /** Resolves when all workers are running, or with the exit code of a worker that could not start. */
  async start(): Promise<number | undefined> {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    await this.#management?.start();
    const [first, ...others] = this.#seats;
    // A fault usually affects all workers, so only the first one reports it.
    const failed = (await first?.start()) ?? (await Promise.all(others.map((life) => life.start()))).find(isCode);
    if (failed !== undefined) {
      await this.stop();
      return failed;
    }
    this.#phase = 'serving';
    this.#context.log.info({ workers: this.#seats.map(({ code }) => code) }, 'all workers are running');
    return undefined;
  }

  reload(): void {
    for (const life of this.#seats) life.reload();
  }

  /**
   * Drains and restarts the workers one at a time. Stops if a worker does not serve again.
   * @returns the reason for a refusal, or undefined after the start
   */
  async restart(): Promise<Reason | undefined> {
    const hindrance = this.#hindrance ?? (this.#isRestarting ? ({ code: 'workers.restarting' } as const) : undefined);
    if (hindrance !== undefined) return this.#refuseRestart(hindrance);
    this.#isRestarting = true;
    const isSound = await this.#context.checkConfiguration();
    const refusal = isSound ? this.#hindrance : ({ code: 'workers.configuration' } as const);
    const restarted = refusal === undefined ? this.#restartAll() : Promise.resolve();
    void restarted.finally(() => {
      this.#isRestarting = false;
    });
    return refusal && this.#refuseRestart(refusal);
  }

  async stop(): Promise<void> {
    if (this.#isServing) {
      this.#phase = 'stopping';
      await pause((this.#configuration.management?.stopDelaySeconds ?? 0) * 1_000);
    }
    this.#phase = 'stopping';
    await Promise.all(this.#seats.map((life) => life.stop()));
    this.#ports.close();
    await this.#management?.stop(0);
  }

  get #isServing(): boolean {
    return this.#phase === 'serving';
  }

  get #hindrance(): Reason | undefined {
    if (this.#isServing) return undefined;
    return this.#phase === 'starting' ? { code: 'workers.starting' } : { code: 'workers.ending' };
  }

  #refuseRestart(reason: Reason): Reason {
    this.#context.log.error(`no worker was restarted: ${reasonText(reason, 'en')}`);
    return { code: 'workers.notRestarted', values: { reason } };
  }

  /** @returns the reason for a refusal, or undefined if the server is drained or ends anyway */
  async #drainIfServing(): Promise<Reason | undefined> {
    if (this.#phase === 'starting') return { code: 'workers.drainLater' };
    if (this.#isServing) void this.#drain();
    return undefined;
  }

  async #drain(): Promise<void> {
    this.#phase = 'draining';
    this.#context.log.info('all workers are drained');
    await pause((this.#configuration.management?.stopDelaySeconds ?? 0) * 1_000);
    await Promise.all(this.#seats.map((life) => life.leave()));
    this.#ports.close();
    this.#context.drained();
  }

  async #restartAll(): Promise<void> {
    const { log } = this.#context;
    log.info('workers are restarted, one after the other');
    for (const life of this.#seats) {
      if (!this.#isServing) return;
      if (!(await life.restart()) && this.#isServing) {
        log.error({ worker: life.code }, 'the worker did not start again: the others are not restarted');
        return;
      }
    }
    if (this.#isServing) log.info('all workers were restarted');
  }
}

function isCode(code: number | undefined): code is number {
  return code !== undefined;
}

const stateFaults: Readonly<Record<WorkerState, string | undefined>> = {
  starting: 'the worker is starting',
  serving: undefined,
  draining: 'the worker is being drained for a restart',
  leaving: 'the worker is drained',
  stopping: 'the worker stops',
  waiting: 'the worker has died, and will be restarted shortly',
  givenUp:
    'the worker died repeatedly during its start, and is not started again: see the log, then run sallyport admin restart',
  ended: 'the worker has ended',
};

/** Health of all workers. Ready if at least one worker is ready, healthy if all are. */
class MachineHealth implements HealthSource {
  readonly #phase: () => ServerPhase;
  readonly #seats: readonly WorkerLife[];

  constructor(phase: () => ServerPhase, seats: readonly WorkerLife[]) {
    this.#phase = phase;
    this.#seats = seats;
  }

  live(): HealthReport {
    return { status: 'UP', checks: [checkOf('process', undefined)] };
  }

  started(): HealthReport {
    return reportOf([checkOf('server', this.#phase() === 'starting' ? phaseFaults.starting : undefined)]);
  }

  async ready(): Promise<HealthReport> {
    const server = checkOf('server', phaseFaults[this.#phase()]);
    const workers = await this.#checks('ready');
    const isReady = server.status === 'UP' && workers.some(({ status }) => status === 'UP');
    return { status: isReady ? 'UP' : 'DOWN', checks: [server, ...workers] };
  }

  async all(): Promise<HealthReport> {
    return reportOf([checkOf('server', phaseFaults[this.#phase()]), ...(await this.#checks('all'))]);
  }

  #checks(question: 'ready' | 'all'): Promise<readonly HealthCheck[]> {
    return Promise.all(this.#seats.map(async (life) => checkOf(`worker ${life.code}`, await faultOf(life, question))));
  }
}

async function faultOf(life: WorkerLife, question: 'ready' | 'all'): Promise<string | undefined> {
  const ofState = stateFaults[life.state];
  if (ofState !== undefined) return ofState;
  const report = (await life.ask(question)) as HealthReport | undefined;
  if (report === undefined) return 'the worker does not answer';
  const faults = report.checks.filter(({ status }) => status === 'DOWN');
  return faults.length === 0 ? undefined : faults.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
}

const METRIC = /^# HELP (\S+) .*\n# TYPE .*(?:\n|$)/;

/**
 * Metrics of all workers, with the label `worker`. Sums of counters would decrease when a worker restarts, which
 * Prometheus treats as a counter reset and counts twice.
 */
class MachineMetrics implements MetricsSource {
  readonly #seats: readonly WorkerLife[];
  readonly #own = new Registry();
  #answered: ReadonlySet<string> = new Set();

  constructor(seats: readonly WorkerLife[], checks: () => Promise<readonly HealthCheck[]>) {
    this.#seats = seats;
    const checkUp: Gauge<'check'> = new Gauge({
      ...CHECK_UP,
      registers: [this.#own],
      collect: () => setChecks(checkUp, checks),
    });
    this.#gauge('sallyport_worker_up', '1 if the worker is running and answers', (life) =>
      life.state === 'serving' && this.#answered.has(life.code) ? 1 : 0,
    );
    this.#gauge('sallyport_worker_given_up', '1 if the worker died too often and is not started again', (life) =>
      life.state === 'givenUp' ? 1 : 0,
    );
    this.#gauge('sallyport_worker_restarts', 'Starts after the worker had died', (life) => life.restarts);
  }

  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const asked = await Promise.all(
      this.#seats.map(async (life) => ({ code: life.code, text: await life.ask('metrics') })),
    );
    const answers = asked.flatMap(({ code, text }) => (typeof text === 'string' ? [{ code, text }] : []));
    this.#answered = new Set(answers.map(({ code }) => code));
    const texts = [await this.#own.metrics(), ...answers.map(({ text }) => text)];
    return { contentType: this.#own.contentType, body: joinedMetrics(texts) };
  }

  #gauge(name: string, help: string, of: (life: WorkerLife) => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [this.#own],
      collect: () => {
        for (const life of this.#seats) gauge.set({ worker: life.code }, of(life));
      },
    });
  }
}

/**
 * Writes each metric once, with the values of all workers. Workers of different versions may have different
 * descriptions.
 */
export function joinedMetrics(texts: readonly string[]): string {
  const metrics = new Map<string, string[]>();
  for (const block of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [head = '', name = ''] = METRIC.exec(block) ?? [];
    const values = block.slice(head.length);
    if (values === '') continue;
    const pieces = metrics.get(name) ?? [head.trimEnd()];
    metrics.set(name, pieces);
    pieces.push(values);
  }
  return `${[...metrics.values()].map((pieces) => pieces.join('\n')).join('\n\n')}\n`;
}
