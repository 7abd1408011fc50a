import type { Measurement } from './measurement.js';
import { type SoakResult, soakTolerance } from './soak.js';

export interface Target {
  readonly words: string;
  readonly isReached: boolean;
}

/** Number of connections for the targets of the issue. */
export const TARGET_CONNECTIONS = 128;

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

/** Cost of koa and its router for each request: the difference of (k) and (b). Undefined if one was not measured. */
export function koaCost(measurements: readonly Measurement[]): string | undefined {
  const [plain, koa] = ['b', 'k'].map((letter) => find(measurements, letter, TARGET_CONNECTIONS));
  if (plain === undefined || koa === undefined) return undefined;
  const more = koa.processorMicroseconds - plain.processorMicroseconds;
  return `koa and @koa/router: ${more.toFixed(0)} µs of processor time a request, (k) less (b), at ${TARGET_CONNECTIONS} connections`;
}

/**
 * Targets of the issues. Those against (b) and (b+) use processor time, which other load on the machine affects least.
 */
export function targetsOf(measurements: readonly Measurement[]): Target[] {
  const [own, plain, logged, express] = ['a', 'b', 'b+', 'c'].map((letter) =>
    find(measurements, letter, TARGET_CONNECTIONS),
  );
  if (own === undefined || plain === undefined || logged === undefined || express === undefined) return [];
  const again = own.requestsPerSecond / express.requestsPerSecond;
  const tail = `${own.p99Milliseconds.toFixed(1)} ms against ${express.p99Milliseconds.toFixed(1)} ms`;
  return [
    processorTarget(own, plain, 0.6),
    processorTarget(own, logged, 0.75),
    { words: `requests/s (a) ≥ 1.5 × (c): ${again.toFixed(2)}`, isReached: again >= 1.5 },
    { words: `p99 of (a) no worse than (c): ${tail}`, isReached: own.p99Milliseconds <= express.p99Milliseconds },
  ];
}

function processorTarget(own: Measurement, peer: Measurement, least: number): Target {
  const byProcessor = peer.processorMicroseconds / own.processorMicroseconds;
  const byRate = own.requestsPerSecond / peer.requestsPerSecond;
  const words = `requests per CPU second (a) ≥ ${least} × (${peer.letter}): ${byProcessor.toFixed(2)}; requests/s ${byRate.toFixed(2)}`;
  return { words, isReached: byProcessor >= least };
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
