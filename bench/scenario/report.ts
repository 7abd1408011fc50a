import type { Measurement } from './measurement.js';
import { type SoakResult, soakTolerance } from './soak.js';

export interface Target {
  readonly words: string;
  readonly isReached: boolean;
}

/** From this share of a core on, the server under test is what limits the load. */
const SATURATED = 0.95;

/** Where the issue states its targets. */
export const TARGET_CONNECTIONS = 128;

/** The figures as a Markdown table. */
export function measurementTable(measurements: readonly Measurement[]): string {
  return table(
    ['connections', 'contender', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs/request', 'core busy', 'peak MiB'],
    measurements.map((each) => [
      String(each.connections),
      `(${each.letter}) ${each.name}`,
      each.requestsPerSecond.toFixed(0),
      each.p50Milliseconds.toFixed(2),
      each.p99Milliseconds.toFixed(2),
      each.processorMicroseconds.toFixed(0),
      `${(each.busy * 100).toFixed(0)} %`,
      each.peakMebibytes.toFixed(0),
    ]),
  );
}

/** Sallyport against each peer, by requests per second and by processor time. */
export function ratioTable(measurements: readonly Measurement[]): string {
  const rows: string[][] = [];
  for (const own of measurements) {
    if (own.letter !== 'a') continue;
    for (const peer of measurements) {
      if (peer.letter === 'a' || peer.connections !== own.connections) continue;
      rows.push([
        String(own.connections),
        `a / ${peer.letter}`,
        (own.requestsPerSecond / peer.requestsPerSecond).toFixed(2),
        (peer.processorMicroseconds / own.processorMicroseconds).toFixed(2),
      ]);
    }
  }
  return table(['connections', 'ratio', 'requests/s', 'requests per CPU second'], rows);
}

/** The targets of the issue. Where a peer does not fill its core, its processor time says more than its rate. */
export function targetsOf(measurements: readonly Measurement[]): Target[] {
  const [own, plain, express] = ['a', 'b', 'c'].map((letter) => find(measurements, letter, TARGET_CONNECTIONS));
  if (own === undefined || plain === undefined || express === undefined) return [];
  const byRate = own.requestsPerSecond / plain.requestsPerSecond;
  const byProcessor = plain.processorMicroseconds / own.processorMicroseconds;
  const again = own.requestsPerSecond / express.requestsPerSecond;
  const tail = `${own.p99Milliseconds.toFixed(1)} ms against ${express.p99Milliseconds.toFixed(1)} ms`;
  const unfilled = plain.busy < SATURATED ? '; (b) did not fill its core, so this one counts' : '';
  const counted = plain.busy < SATURATED ? byProcessor : byRate;
  return [
    {
      words: `requests/s (a) ≥ 0.6 × (b): ${byRate.toFixed(2)}; per CPU second ${byProcessor.toFixed(2)}${unfilled}`,
      isReached: counted >= 0.6,
    },
    { words: `requests/s (a) ≥ 1.5 × (c): ${again.toFixed(2)}`, isReached: again >= 1.5 },
    { words: `p99 of (a) no worse than (c): ${tail}`, isReached: own.p99Milliseconds <= express.p99Milliseconds },
  ];
}

export function soakTable({ samples, seconds, isWhereItWas }: SoakResult): string {
  const rows = table(
    ['requests', 'resident MiB', 'heap MiB after collection'],
    samples.map((each) => [String(each.requests), each.residentMebibytes.toFixed(1), each.heapMebibytes.toFixed(2)]),
  );
  const { heapMebibytes, residentMebibytes } = soakTolerance;
  const verdict = isWhereItWas ? 'Memory is where it was' : '**Memory is not where it was**';
  return (
    `${rows}\n\n${verdict} after the first ${samples[0]?.requests} requests ` +
    `(tolerance: ${heapMebibytes} MiB of heap, ${residentMebibytes} MiB resident); it took ${seconds.toFixed(0)} s.`
  );
}

function find(measurements: readonly Measurement[], letter: string, connections: number): Measurement | undefined {
  return measurements.find((each) => each.letter === letter && each.connections === connections);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, index) => (index === 0 ? '---' : '--:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
