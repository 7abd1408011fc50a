/** A sample of Prometheus' text format (docs: exposition_formats.md). */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Exposition {
  /** Type of each metric by its name. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/** Reads what `/metrics` answers; throws at whatever is none of the format. */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type !== null) types.set(type[1] ?? '', type[2] ?? '');
    if (line === '' || line.startsWith('#')) continue;
    const sample = SAMPLE.exec(line);
    if (sample === null) throw new Error(`no sample: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    const pairs = [...labels.matchAll(LABEL)];
    if (pairs.map(([pair]) => pair).join('') !== labels) throw new Error(`no labels: ${line}`);
    const read = Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text]));
    samples.push({ name, labels: read, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) });
  }
  return { types, samples };
}

/** The sum of the samples of a name that have all these labels. */
export function sumOf({ samples }: Exposition, name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
