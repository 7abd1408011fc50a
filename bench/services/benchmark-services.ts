import { Command } from 'commander';
import { HostProcess } from '../host-process.js';
import { numberFromOne, partListOf, runHead } from '../run-head.js';
import { say, table, target } from '../sessions/report.js';
import { callsWithFaults } from './faulty-calls.js';
import {
  type CallFigures,
  callsPerSecond,
  DelayedNetwork,
  kibPerSession,
  latencies,
  scenarioCalls,
  scriptedCalls,
} from './measured-calls.js';

interface Options {
  readonly parts: readonly string[];
  readonly calls: number;
  readonly faults: number;
  readonly latencyCalls: number;
  readonly roundTrip: number;
  readonly seconds: number;
  readonly sessions: number;
}

const parts = ['faults', 'latency', 'throughput', 'memory'] as const;
const SESSIONS_AT_ONCE = 16;
const LEAST_SAVED_PERCENT = 70;
const MOST_KIB = 64;

export async function benchmarkServices(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  say(`${runHead('bench:services', args)}\n`);
  const has = (part: (typeof parts)[number]) => options.parts.includes(part);
  if (has('faults')) await faults(options);
  const host = await HostProcess.start();
  try {
    if (has('latency')) await latency(host.port, options);
    if (has('throughput')) await throughput(host.port, options);
    if (has('memory')) await memory(host.port, options);
  } finally {
    host.stop();
  }
  return 0;
}

function optionsOf(args: readonly string[]): Options {
  return new Command('bench:services')
    .description('Measures calls of services in pools of signed-on sessions with the simulated host.')
    .option('--parts <list>', `what to measure, of ${parts.join(', ')}`, partListOf(parts), [...parts])
    .option('--calls <number>', 'calls while the host has faults', numberFromOne, 100_000)
    .option('--faults <number>', 'of a million panels that the host shows, how many meet a fault', numberFromOne, 1_000)
    .option('--latency-calls <number>', 'calls one after the other', numberFromOne, 500)
    .option('--round-trip <number>', 'milliseconds of the network that these calls go over, too', numberFromOne, 5)
    .option('--seconds <number>', 'seconds of calls at once', numberFromOne, 10)
    .option('--sessions <number>', 'pooled sessions whose memory is measured', numberFromOne, 1_000)
    .parse([...args], { from: 'user' })
    .opts<Options>();
}

async function faults({ calls, faults: perMillion }: Options): Promise<void> {
  say(`## ${calls} calls, 64 at once, in a pool of 16, with ${perMillion / 10_000} % of the host's panels faulty\n`);
  const { kinds, crossed, lentElsewhere, mostOfUser, seconds } = await callsWithFaults(calls, perMillion / 1e6);
  table(
    ['end of the call', 'calls'],
    [...kinds].map(([kind, count]) => [kind, String(count)]),
  );
  target('answers of another call: 0', crossed === 0, String(crossed));
  target('sessions lent that were not at home: 0', lentElsewhere === 0, String(lentElsewhere));
  target('sessions of a user at the same time: 1', mostOfUser === 1, String(mostOfUser));
  say(`${seconds.toFixed(0)} s\n`);
}

async function latency(port: number, { latencyCalls, roundTrip }: Options): Promise<void> {
  say('## A call in a pool, and one that connects and signs on\n');
  await latencyOver(port, latencyCalls);
  say(`### The same over a network with a round trip of ${roundTrip} ms\n`);
  const network = await DelayedNetwork.start(port, roundTrip);
  try {
    await latencyOver(network.port, latencyCalls);
  } finally {
    network.stop();
  }
}

async function latencyOver(port: number, latencyCalls: number): Promise<void> {
  const { inPool, atOnce, anew } = await latencies(port, latencyCalls);
  const saved = (1 - quantile(inPool, 0.5) / quantile(anew, 0.5)) * 100;
  table(
    ['', 'p50 ms', 'p99 ms'],
    [
      ['in a pool', ...spread(inPool)],
      ['in a pool, with the answer of the call before', ...spread(atOnce)],
      ['connecting and signing on', ...spread(anew)],
    ],
  );
  target(`p50 lower by ${LEAST_SAVED_PERCENT} %`, saved >= LEAST_SAVED_PERCENT, `${saved.toFixed(1)} %`);
}

async function throughput(port: number, { seconds }: Options): Promise<void> {
  say(`## Calls of a service of two screens, ${SESSIONS_AT_ONCE} sessions\n`);
  const row = (name: string, { callsPerSecond: perSecond, callsPerCoreSecond: perCore, milliseconds }: CallFigures) => [
    name,
    perSecond.toFixed(0),
    perCore.toFixed(0),
    ...spread(milliseconds),
  ];
  table(
    ['', 'calls/s', 'calls a core and second', 'p50 ms', 'p99 ms'],
    [
      row('pool, host in the same process', await callsPerSecond(undefined, seconds, SESSIONS_AT_ONCE)),
      row('pool, host in a process of its own', await callsPerSecond(port, seconds, SESSIONS_AT_ONCE)),
      row(
        'scenario SCENACCT over HTTP, signs on each time, host in the same process',
        await scenarioCalls(seconds, SESSIONS_AT_ONCE),
      ),
      row('scripted s3270, host in a process of its own', await scriptedCalls(port, seconds, SESSIONS_AT_ONCE)),
    ],
  );
}

async function memory(port: number, { sessions }: Options): Promise<void> {
  say(`## Memory of a pooled session, ${sessions} of them\n`);
  const { resident, inUse } = await kibPerSession(port, sessions);
  target(`${MOST_KIB} KiB at most`, resident <= MOST_KIB, `${resident.toFixed(1)} KiB resident`);
  say(
    `Of objects and buffers in use: ${inUse.toFixed(1)} KiB; the rest is room that V8 keeps, and differs from run to run.\n`,
  );
}

function spread(milliseconds: readonly number[]): readonly [string, string] {
  return [quantile(milliseconds, 0.5).toFixed(2), quantile(milliseconds, 0.99).toFixed(2)];
}

function quantile(milliseconds: readonly number[], part: number): number {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
