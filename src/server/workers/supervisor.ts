import cluster from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RestartBounds } from '../../../machines/worker.machine.js';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';
import type { InboundLine } from '../../lines/listener/inbound-line.js';
import type { ServerPhase } from '../../operation/health/health.js';
import type { Listener } from '../listener.js';
import { managementLine, managementListed } from '../parts/management-line.js';
import { KeptPorts } from './kept-ports.js';
import { MachineHealth } from './machine-health.js';
import { MachineMetrics } from './machine-metrics.js';
import { WorkerSeat } from './worker-seat.js';

const restartBounds: RestartBounds = {
  failedStarts: 10,
  withinMilliseconds: 60_000,
  waitMilliseconds: [100, 500, 1_000, 2_000, 5_000],
};
/** For a worker that is stopped: the requests in flight, its sessions and its pools. */
const STOP_MILLISECONDS = 20_000;
const MINUTE = 60_000;

interface SupervisorGround {
  readonly log: Log;
  /** Whether the configuration is sound; its faults are told. */
  checkConfiguration(): Promise<boolean>;
  /** All workers were drained for good, and have ended. */
  drained(): void;
}

/** Keeps the workers of a machine running. They share the ports of all lines: connections are handed to them in turn. */
export class Supervisor {
  readonly #configuration: Configuration;
  readonly #ground: SupervisorGround;
  readonly #seats: readonly WorkerSeat[];
  readonly #management: InboundLine | undefined;
  /** Nobody else may enter it. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'sallyport-'));
  readonly #ports = new KeptPorts();
  #phase: ServerPhase = 'starting';
  #isRestarting = false;

  constructor(configuration: Configuration, ground: SupervisorGround) {
    this.#configuration = configuration;
    this.#ground = ground;
    const { processes, node = '', drainMinutes, workerStartSeconds, workerSilenceSeconds, management } = configuration;
    const { log } = ground;
    this.#seats = Array.from({ length: processes }, (_, at) => {
      return new WorkerSeat(`${node}${at + 1}`, {
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
    // a second signal ends the process before it has stopped
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
    const health = new MachineHealth(() => this.#phase, this.#seats);
    const metrics = new MachineMetrics(this.#seats, async () => (await health.all()).checks);
    this.#management = management && managementLine(management, { health, metrics }, log);
  }

  get listeners(): readonly Listener[] {
    const ofWorkers = this.#seats[0]?.serving?.listeners ?? [];
    return [...ofWorkers, ...(this.#management === undefined ? [] : [managementListed(this.#management)])];
  }

  /** Lines whose port another program has. */
  get linesWithoutPort(): readonly string[] {
    return this.#seats[0]?.serving?.withoutPort ?? [];
  }

  /** Resolves when all workers serve; with an exit code where one of them could not begin, and said why. */
  async start(): Promise<number | undefined> {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    await this.#management?.start();
    const [first, ...others] = this.#seats;
    // what hinders one hinders all, and is told once
    const failed = (await first?.start()) ?? (await Promise.all(others.map((seat) => seat.start()))).find(isCode);
    if (failed !== undefined) {
      await this.stop();
      return failed;
    }
    this.#phase = 'serving';
    this.#ground.log.info({ workers: this.#seats.map(({ code }) => code) }, 'all workers serve');
    return undefined;
  }

  reload(): void {
    for (const seat of this.#seats) seat.reload();
  }

  /**
   * Drains the workers and starts them anew, one after the other; ends where one does not serve again.
   * @returns why it does not, as soon as that is known; undefined: it has begun
   */
  async restart(): Promise<string | undefined> {
    const hindrance = this.#hindrance ?? (this.#isRestarting ? 'the workers are being restarted already' : undefined);
    if (hindrance !== undefined) return this.#refuseRestart(hindrance);
    this.#isRestarting = true;
    const isSound = await this.#ground.checkConfiguration();
    const refusal = isSound ? this.#hindrance : 'the configuration is wrong, and sallyport check-config says where';
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
    await Promise.all(this.#seats.map((seat) => seat.stop()));
    this.#ports.close();
    await this.#management?.stop(0);
  }

  get #isServing(): boolean {
    return this.#phase === 'serving';
  }

  /** Why no worker can be restarted. */
  get #hindrance(): string | undefined {
    if (this.#isServing) return undefined;
    return this.#phase === 'starting' ? 'the server is starting' : 'the server is to end';
  }

  #refuseRestart(reason: string): string {
    this.#ground.log.error(`no worker is restarted: ${reason}`);
    return `No worker is restarted: ${reason}.`;
  }

  /** @returns why it is not drained; undefined: it is, or is to end all the same */
  async #drainIfServing(): Promise<string | undefined> {
    if (this.#phase === 'starting') return 'The server is starting: drain it when all its workers serve.';
    if (this.#isServing) void this.#drain();
    return undefined;
  }

  async #drain(): Promise<void> {
    this.#phase = 'draining';
    this.#ground.log.info('all workers are drained');
    await pause((this.#configuration.management?.stopDelaySeconds ?? 0) * 1_000);
    await Promise.all(this.#seats.map((seat) => seat.leave()));
    this.#ports.close();
    this.#ground.drained();
  }

  async #restartAll(): Promise<void> {
    const { log } = this.#ground;
    log.info('workers are restarted, one after the other');
    for (const seat of this.#seats) {
      if (!this.#isServing) return;
      if (!(await seat.restart()) && this.#isServing) {
        log.error({ worker: seat.code }, 'the worker does not serve again: the others are not restarted');
        return;
      }
    }
    if (this.#isServing) log.info('all workers were restarted');
  }
}

function isCode(code: number | undefined): code is number {
  return code !== undefined;
}
