import { processorSeconds, residentMebibytes } from './process-usage.js';
import type { RunningContender, TestBed } from './test-bed.js';

export interface Measurement {
  readonly letter: string;
  readonly name: string;
  readonly connections: number;
  readonly requestsPerSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** Processor time of the server process for each request. */
  readonly processorMicroseconds: number;
  /** Processor time of the server process divided by wall time; above 1 if it used more than one core. */
  readonly busy: number;
  /** Since the start of the process. */
  readonly peakMebibytes: number;
}

/** Before each round, so that opening connections is not measured. */
const LEAD_IN_MILLISECONDS = 500;

export async function measureRound(
  bed: TestBed,
  running: RunningContender,
  connections: number,
  milliseconds: number,
): Promise<Measurement> {
  await bed.send(running, connections, { milliseconds: LEAD_IN_MILLISECONDS });
  const { pid } = running.process;
  const before = processorSeconds(pid);
  const { requests, seconds, p50Milliseconds, p99Milliseconds } = await bed.send(running, connections, {
    milliseconds,
  });
  const processor = processorSeconds(pid) - before;
  return {
    letter: running.contender.letter,
    name: running.contender.name,
    connections,
    requestsPerSecond: requests / seconds,
    p50Milliseconds,
    p99Milliseconds,
    processorMicroseconds: (processor / requests) * 1e6,
    busy: processor / seconds,
    peakMebibytes: residentMebibytes(pid, 'VmHWM'),
  };
}

export function medianOf(rounds: readonly Measurement[]): Measurement {
  const [first] = rounds;
  if (first === undefined) throw new RangeError('no rounds');
  const middle = (figure: (round: Measurement) => number) => median(rounds.map(figure));
  return {
    ...first,
    requestsPerSecond: middle((round) => round.requestsPerSecond),
    p50Milliseconds: middle((round) => round.p50Milliseconds),
    p99Milliseconds: middle((round) => round.p99Milliseconds),
    processorMicroseconds: middle((round) => round.processorMicroseconds),
    busy: middle((round) => round.busy),
    peakMebibytes: Math.max(...rounds.map((round) => round.peakMebibytes)),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}
