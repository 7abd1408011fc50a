import { Gauge, Registry } from 'prom-client';
import type { MetricsSource } from '../management/management-listener.js';
import type { WorkerSeat } from './worker-seat.js';

/** Of the text format: what stands in front of the values of a metric. */
const METRIC = /^# HELP .*\n# TYPE .*\n/;

/**
 * Metrics of all workers, told apart by the label `worker`. Sums of counters would go down whenever a worker begins anew, which
 * Prometheus takes for a counter that was reset, and adds the whole sum once more.
 */
export class MachineMetrics implements MetricsSource {
  readonly #seats: readonly WorkerSeat[];
  readonly #own = new Registry();

  constructor(seats: readonly WorkerSeat[]) {
    this.#seats = seats;
    this.#gauge('sallyport_worker_up', '1 where the worker serves', (seat) => (seat.state === 'serving' ? 1 : 0));
    this.#gauge('sallyport_worker_given_up', '1 where the worker died too often and is not started again', (seat) =>
      seat.state === 'givenUp' ? 1 : 0,
    );
    this.#gauge('sallyport_worker_restarts', 'Starts after the worker had died', (seat) => seat.restarts);
  }

  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const texts = await Promise.all([this.#own.metrics(), ...this.#seats.map((seat) => seat.ask('metrics'))]);
    const isText = (text: unknown): text is string => typeof text === 'string';
    return { contentType: this.#own.contentType, body: joined(texts.filter(isText)) };
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

/** The values of a metric stand together, whoever they are of. */
function joined(texts: readonly string[]): string {
  const values = new Map<string, string>();
  for (const block of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [head = ''] = METRIC.exec(block) ?? [];
    const rest = block.slice(head.length);
    if (rest === '') continue;
    const before = values.get(head);
    values.set(head, before === undefined ? rest : `${before}\n${rest}`);
  }
  return `${[...values].map(([head, rest]) => `${head}${rest}`).join('\n\n')}\n`;
}
