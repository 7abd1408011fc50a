import {
  checkOf,
  type HealthCheck,
  type HealthReport,
  phaseFaults,
  reportOf,
  type ServerPhase,
} from '../../operation/health/health.js';
import type { HealthSource } from '../../operation/management-listener.js';
import type { WorkerSeat, WorkerState } from './worker-seat.js';

const stateFaults: Readonly<Record<WorkerState, string | undefined>> = {
  starting: 'the worker is starting',
  serving: undefined,
  draining: 'the worker is drained, to be started anew',
  leaving: 'the worker is drained',
  stopping: 'the worker stops',
  waiting: 'the worker has died, and is started again in a moment',
  givenUp:
    'the worker died again and again before it served, and is not started any more: see the log, then sallyport admin restart',
  ended: 'the worker has ended',
};

/** Health of a machine with several workers. It is ready as long as one of them is; all is well where all are. */
export class MachineHealth implements HealthSource {
  readonly #phase: () => ServerPhase;
  readonly #seats: readonly WorkerSeat[];

  constructor(phase: () => ServerPhase, seats: readonly WorkerSeat[]) {
    this.#phase = phase;
    this.#seats = seats;
  }

  /** The supervisor runs. */
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
    return Promise.all(this.#seats.map(async (seat) => checkOf(`worker ${seat.code}`, await faultOf(seat, question))));
  }
}

async function faultOf(seat: WorkerSeat, question: 'ready' | 'all'): Promise<string | undefined> {
  const ofState = stateFaults[seat.state];
  if (ofState !== undefined) return ofState;
  const report = (await seat.ask(question)) as HealthReport | undefined;
  if (report === undefined) return 'the worker does not answer';
  const faults = report.checks.filter(({ status }) => status === 'DOWN');
  return faults.length === 0 ? undefined : faults.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
}
