import { Command } from 'commander';
import { installationFolder } from '../../src/config/installation.js';
import { numberFromOne, partListOf, runHead } from '../run-head.js';
import type { PinnedProcess } from '../scenario/pinned-process.js';
import { median, progress, say, table, target } from '../sessions/report.js';
import { type FloodKind, floodKinds } from './flood-kinds.js';
import { type FloodResult, type FloodTask, type HonestResult, honestRequests } from './flood-task.js';
import { FloodedBed } from './flooded-bed.js';

const MOST_MILLISECONDS = 250;
const LEAD_SECONDS = 1;

interface Options {
  readonly kinds: readonly string[];
  readonly seconds: number;
  readonly installation: string;
  readonly smallest: boolean;
}

export async function benchmarkFloods(args: readonly string[]): Promise<number> {
  const names = ['none', ...Object.keys(floodKinds)];
  const given = new Command('bench:floods')
    .description('Measures the answers to an honest client while another address floods the server.')
    .option('--kinds <list>', `floods, separated by commas: ${names.join(', ')}`, partListOf(names), names)
    .option('--seconds <number>', 'duration of each flood', numberFromOne, 8)
    .option('--installation <folder>', 'folder of another built Sallyport, to compare', installationFolder)
    .option('--smallest', 'one small flood only: checks that the benchmark runs', false)
    .parse([...args], { from: 'user' })
    .opts<Options>();
  const options = given.smallest ? { ...given, kinds: ['pages'], seconds: 1 } : given;
  say(`${runHead('bench:floods', args)}\n`);
  const rows: string[][] = [];
  let worst = 0;
  for (const name of options.kinds) {
    const { row, longest } = await measure(name, options);
    worst = Math.max(worst, longest);
    rows.push(row);
    progress(row.join(' | '));
  }
  table(
    [
      'flood',
      ...honestRequests.map((name) => `${name}: median, worst (ms)`),
      'answers to the flood (MB)',
      'memory (MiB)',
    ],
    rows,
  );
  const isReached = worst <= MOST_MILLISECONDS;
  target(`no answer takes longer than ${MOST_MILLISECONDS} ms`, isReached, `${worst.toFixed(0)} ms`);
  return isReached ? 0 : 1;
}

async function measure(
  name: string,
  { seconds, installation, smallest }: Options,
): Promise<{ readonly row: string[]; readonly longest: number }> {
  const kind: FloodKind | undefined = floodKinds[name];
  const bed = await FloodedBed.open(installation, kind?.processes ?? 1);
  try {
    const { port, tlsPort } = bed;
    const honest = bed.client('honest');
    const begun = honest.ask<{ ready?: boolean; failure?: string }>({ port, tlsPort, seconds });
    const { failure } = await begun;
    if (failure !== undefined) throw new Error(failure);
    const measured = answer<HonestResult>(honest);
    const mostConnections = smallest ? 4 : Number.POSITIVE_INFINITY;
    const task: FloodTask = {
      kind: name,
      port,
      tlsPort,
      seconds: seconds + LEAD_SECONDS,
      mostConnections: Math.min(mostConnections, 1_000),
    };
    const flood =
      kind === undefined ? undefined : bed.client('attacker').ask<{ result?: FloodResult; failure?: string }>(task);
    const times = await measured;
    const flooded = await flood;
    if (flooded?.failure !== undefined) throw new Error(flooded.failure);
    const cells = honestRequests.map(
      (one) => `${median(times[one]).toFixed(0)}, ${Math.max(...times[one]).toFixed(0)}`,
    );
    const memory = bed.isRunning ? bed.memory.toFixed(0) : 'ended';
    return {
      row: [kind?.words ?? 'none', ...cells, ((flooded?.result?.receivedBytes ?? 0) / 1e6).toFixed(1), memory],
      longest: Math.max(...honestRequests.flatMap((one) => times[one])),
    };
  } finally {
    await bed.close();
  }
}

async function answer<Result>(process: PinnedProcess): Promise<Result> {
  const { result, failure } = await process.next<{ result?: Result; failure?: string }>();
  if (result === undefined) throw new Error(failure ?? 'no result');
  return result;
}
