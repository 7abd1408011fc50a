import { Counter, Histogram } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

interface HistogramValue {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Separates label values; names of the configuration cannot contain it. */
const SEPARATOR = '\0';

/**
 * Counts by label values. prom-client checks and sorts labels on each increment, which takes a microsecond or more,
 * several times per request. Here labels are processed only when metrics are collected.
 */
class MetricValues<Tally> {
  readonly #names: readonly string[];
  readonly #make: () => Tally;
  readonly #tallies = new Map<string, Tally>();

  constructor(names: readonly string[], make: () => Tally) {
    this.#names = names;
    this.#make = make;
  }

  of(key: string): Tally {
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const tally = this.#make();
    this.#tallies.set(key, tally);
    return tally;
  }

  all(): readonly { readonly labels: Labels; readonly tally: Tally }[] {
    return [...this.#tallies].map(([key, tally]) => {
      const values = key.split(SEPARATOR);
      return { labels: Object.fromEntries(this.#names.map((name, at) => [name, values[at] ?? ''])), tally };
    });
  }
}

export class MetricCounter extends Counter {
  readonly #tallies: MetricValues<{ count: number }>;

  constructor({ name, help, labelNames }: MetricOptions) {
    super({ name, help, labelNames, registers: [], collect: () => this.#collect() });
    this.#tallies = new MetricValues(labelNames, () => ({ count: 0 }));
  }

  /** @param values of all labels, in the order of their names */
  count(...values: readonly string[]): void {
    this.#tallies.of(values.join(SEPARATOR)).count++;
  }

  #collect(): void {
    this.reset();
    for (const { labels, tally } of this.#tallies.all()) this.inc(labels, tally.count);
  }
}

interface HistogramTally {
  /** Number of values per bucket, not cumulative; the last element counts values above all bounds. */
  readonly counts: Float64Array;
  sum: number;
}

export class MetricHistogram extends Histogram {
  readonly #options: MetricOptions;
  readonly #bounds: readonly number[];
  readonly #tallies: MetricValues<HistogramTally>;

  constructor({ buckets, ...options }: MetricOptions & { readonly buckets: readonly number[] }) {
    super({ ...options, buckets: [...buckets], registers: [] });
    this.#options = options;
    this.#bounds = buckets;
    this.#tallies = new MetricValues(options.labelNames, () => ({
      counts: new Float64Array(buckets.length + 1),
      sum: 0,
    }));
  }

  measure(value: number, ...values: readonly string[]): void {
    const tally = this.#tallies.of(values.join(SEPARATOR));
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at++;
    tally.counts[at] = (tally.counts[at] ?? 0) + 1;
    tally.sum += value;
  }

  /** Overrides the method from which prom-client generates the text, because its API cannot set whole buckets. */
  async getForPromString() {
    const { name, help } = this.#options;
    const values = this.#tallies.all().flatMap(({ labels, tally }) => this.#valuesOf(labels, tally));
    return { name, help, type: 'histogram', values };
  }

  #valuesOf(labels: Labels, { counts, sum }: HistogramTally): readonly HistogramValue[] {
    const { name } = this.#options;
    let count = 0;
    const buckets = Array.from(counts, (ofBucket, at) => {
      count += ofBucket;
      const le = this.#bounds[at] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
