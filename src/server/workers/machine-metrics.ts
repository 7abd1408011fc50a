import { Gauge, Registry } from 'prom-client';
import type { HealthCheck } from '../../operation/health/health.js';
import type { MetricsSource } from '../../operation/management-listener.js';
import { CHECK_UP, setChecks } from '../../operation/metrics/metrics.js';
import type { WorkerSeat } from './worker-seat.js';

/** Of the text format: what stands in front of the values of a metric, with its name. */
const METRIC = /^# HELP (\S+) .*\n# TYPE .*(?:\n|$)/;

/**
 * Metrics of all workers, told apart by the label `worker`. Sums of counters would go down whenever a worker begins anew, which
 * Prometheus takes for a counter that was reset, and adds the whole sum once more.
 */
export class MachineMetrics implements MetricsSource {
  readonly #seats: readonly WorkerSeat[];
  readonly #own = new Registry();
  /** Codes of those that have answered last. */
  #answered: ReadonlySet<string> = new Set();

  /** @param checks of the machine: the server, and one for each worker */
  constructor(seats: readonly WorkerSeat[], checks: () => Promise<readonly HealthCheck[]>) {
    this.#seats = seats;
    const checkUp: Gauge<'check'> = new Gauge({
      ...CHECK_UP,
      registers: [this.#own],
      collect: () => setChecks(checkUp, checks),
    });
    this.#gauge('sallyport_worker_up', '1 where the worker serves, and answers', (seat) =>
      seat.state === 'serving' && this.#answered.has(seat.code) ? 1 : 0,
    );
    this.#gauge('sallyport_worker_given_up', '1 where the worker died too often and is not started again', (seat) =>
      seat.state === 'givenUp' ? 1 : 0,
    );
    this.#gauge('sallyport_worker_restarts', 'Starts after the worker had died', (seat) => seat.restarts);
  }

  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const asked = await Promise.all(
      this.#seats.map(async (seat) => ({ code: seat.code, text: await seat.ask('metrics') })),
    );
    const answers = asked.flatMap(({ code, text }) => (typeof text === 'string' ? [{ code, text }] : []));
    this.#answered = new Set(answers.map(({ code }) => code));
    const texts = [await this.#own.metrics(), ...answers.map(({ text }) => text)];
    return { contentType: this.#own.contentType, body: joinedMetrics(texts) };
  }

  #gauge(name: string, help: string, of: (seat: WorkerSeat) => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [this.#own],
      collect: () => {
        for (const seat of this.#seats) gauge.set({ worker: seat.code }, of(seat));
      },
    });
  }
}

/** A metric is written once, with the values of all; workers of two versions may describe it in other words. */
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
