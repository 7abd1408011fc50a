import { readFileSync } from 'node:fs';
import { S3270 } from '../../test/support/s3270.js';
import { Latencies } from '../scenario/latencies.js';

const SESSIONS = 100;
const ROUNDS = 1_000;

export interface PeerFigures {
  readonly sessions: number;
  readonly kibibytes: number;
  readonly screenBytes: number;
  readonly p50: number;
  readonly p99: number;
}

/** Cost of one s3270 process for each session, for comparison with a web server based on s3270. */
export async function measurePeer(hostPort: number): Promise<PeerFigures> {
  const terminals = Array.from({ length: SESSIONS }, () => new S3270());
  try {
    await Promise.all(terminals.map((terminal) => terminal.connect(`127.0.0.1:${hostPort}`)));
    await Promise.all(terminals.map((terminal) => terminal.waitFor('Command ===>')));
    const sizes = terminals.map(({ pid }) => proportionalKibibytes(pid));
    const times = new Latencies();
    const [terminal] = terminals;
    let screenBytes = 0;
    for (let round = -100; round < ROUNDS; round++) {
      const start = performance.now();
      await terminal?.ask('Enter()');
      const screen = await terminal?.ask('ReadBuffer(Ascii)');
      if (round >= 0) times.add(performance.now() - start);
      screenBytes = screen?.data.reduce((sum, row) => sum + row.length + 'data: \n'.length, 0) ?? 0;
    }
    return {
      sessions: SESSIONS,
      kibibytes: sizes.reduce((sum, one) => sum + one, 0) / SESSIONS,
      screenBytes,
      p50: times.percentile(0.5),
      p99: times.percentile(0.99),
    };
  } finally {
    for (const terminal of terminals) terminal.stop();
  }
}

function proportionalKibibytes(pid: number | undefined): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
}
