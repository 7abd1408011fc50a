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

/** Of a histogram or summary: what its samples may have behind its name. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Reads what `/metrics` answers; throws at whatever is none of the format: each metric has one HELP and one TYPE, in front of all its
 * samples, which stand together and are there once each.
 */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  let metric = '';
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  for (const line of text.split('\n')) {
    const [, keyword = '', name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    const known: ReadonlyMap<string, string> | ReadonlySet<string> = keyword === 'HELP' ? helped : types;
    if (keyword !== '' && known.has(name)) throw new Error(`a second ${keyword} of ${name}`);
    if (keyword === 'HELP') helped.add(name);
    if (keyword === 'TYPE') {
      if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest)) throw new Error(`no type: ${line}`);
      types.set(name, rest);
      metric = name;
    }
    if (line === '' || line.startsWith('#')) continue;
    const sample = readSample(line);
    const suffixes = SUFFIXES[types.get(metric) ?? ''] ?? [''];
    if (!suffixes.some((suffix) => sample.name === metric + suffix)) throw new Error(`not of ${metric}: ${line}`);
    const key = line.slice(0, line.lastIndexOf(' '));
    if (seen.has(key)) throw new Error(`a second ${key}`);
    seen.add(key);
    samples.push(sample);
  }
  return { types, samples };
}

function readSample(line: string): Sample {
  const sample = SAMPLE.exec(line);
  if (sample === null) throw new Error(`no sample: ${line}`);
  const [, name = '', labels = '', value = ''] = sample;
  const pairs = [...labels.matchAll(LABEL)];
  if (pairs.map(([pair]) => pair).join('') !== labels) throw new Error(`no labels: ${line}`);
  const read = Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text]));
  return { name, labels: read, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) };
}

/** The sum of the samples of a name that have all these labels. */
export function sumOf({ samples }: Exposition, name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
