import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import type { OutboundReport } from '../../operation/server-figures.js';
import type { OutboundTracing } from '../../scenarios/outbound/call-trace.js';
import { OutboundLines } from '../../scenarios/outbound/outbound-line.js';
import { type Part, type Replacement, unchanged } from '../part.js';

const noCalls = { calls: 0, failures: 0, lastFailure: undefined };

export class OutboundPart implements Part {
  readonly name = 'outbound lines';
  readonly reads = ['outboundLines'] as const;
  readonly #metrics: Pick<Metrics, 'outboundEnded'>;
  readonly #tracing: OutboundTracing | undefined;
  readonly #ended = new Map<string, Pick<OutboundReport, 'calls' | 'failures' | 'lastFailure'>>();
  #definitions: Configuration['outboundLines'];
  #lines: OutboundLines | undefined;
  /** Previous lines that a request or session may still use. Weak references, so that they can be collected. */
  #earlier: WeakRef<OutboundLines>[] = [];

  constructor({ outboundLines }: Configuration, metrics = noMetrics, tracing?: OutboundTracing) {
    this.#tracing = tracing;
    this.#metrics = { outboundEnded: (...end) => this.#note(metrics, ...end) };
    this.#definitions = outboundLines;
  }

  get reports(): readonly OutboundReport[] {
    return this.#definitions.map(({ name, site }) => ({ name, site, ...(this.#ended.get(name) ?? noCalls) }));
  }

  /** Current lines. Callers may keep them across a reload. */
  get lines(): OutboundLines {
    if (this.#lines === undefined) throw new Error('the outbound lines are not open');
    return this.#lines;
  }

  async start(): Promise<void> {
    this.#lines = new OutboundLines(this.#definitions, readPemFile, this.#metrics, this.#tracing);
  }

  async stop(graceMilliseconds: number): Promise<void> {
    const earlier = this.#earlier.map((lines) => lines.deref());
    await Promise.all([this.#lines, ...earlier].map((lines) => lines?.close(graceMilliseconds)));
  }

  #note(metrics: Metrics, ...[line, failure, seconds]: Parameters<Metrics['outboundEnded']>): void {
    metrics.outboundEnded(line, failure, seconds);
    const { calls, failures, lastFailure } = this.#ended.get(line) ?? noCalls;
    const hasFailed = failure !== undefined;
    this.#ended.set(line, {
      calls: calls + 1,
      failures: failures + (hasFailed ? 1 : 0),
      lastFailure: hasFailed ? { at: Date.now(), reason: failure } : lastFailure,
    });
  }

  async replace({ outboundLines }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(outboundLines, this.#definitions)) return unchanged;
    const lines = new OutboundLines(outboundLines, readPemFile, this.#metrics, this.#tracing);
    return {
      ...unchanged,
      takenOver: ['outboundLines'],
      take: () => {
        // Idle connections close by themselves after seconds.
        this.#earlier = [...this.#earlier.filter((known) => known.deref() !== undefined), new WeakRef(this.lines)];
        this.#definitions = outboundLines;
        this.#lines = lines;
      },
    };
  }
}
