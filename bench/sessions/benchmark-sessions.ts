import { Command, InvalidArgumentError } from 'commander';
import { runHead } from '../run-head.js';
import { residentMebibytes } from '../scenario/process-usage.js';
import { measurePeer } from './peer.js';
import { mebibytes, median, say, table, target } from './report.js';
import type { TransactionFigures } from './screen-load.js';
import { SessionBed } from './session-bed.js';
import { bursts, rushes, signOns } from './sign-ons.js';
import type { SubmitFigures } from './submits.js';
import { countUpdates } from './updates.js';
import { difference, machineSeconds, usageOf } from './usage.js';

interface Options {
  readonly parts: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly sessions: readonly number[];
  readonly transactionSeconds: number;
  readonly submits: number;
  readonly profile: boolean;
}

const parts = ['sign-ons', 'rush', 'burst', 'submits', 'updates', 'sessions', 'peer'] as const;
const PER_SESSION_AND_SECOND = 18 / 90;
/** Exit code of shells after Ctrl-C. */
const INTERRUPTED = 130;

export async function benchmarkSessions(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (process.platform !== 'linux') throw new Error('the benchmark reads /proc and runs on Linux only');
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(INTERRUPTED));
  say(`${runHead('bench:sessions', args)}\n`);
  const has = (part: (typeof parts)[number]) => options.parts.includes(part);
  if (has('sign-ons')) await signOns(options);
  if (has('rush')) await rushes(options);
  if (has('burst')) await bursts(options);
  if (has('submits')) await submits(options);
  if (has('updates')) await updates();
  if (has('sessions')) await manySessions(options);
  if (has('peer')) await peer();
  return 0;
}

function optionsOf(args: readonly string[]): Options {
  return new Command('bench:sessions')
    .option('--parts <list>', `what to measure, of ${parts.join(', ')}`, partList, [...parts])
    .option('--rounds <number>', 'rounds of sign-ons, of rushes and of bursts', wholeNumber, 3)
    .option('--seconds <number>', 'seconds of a round of sign-ons', wholeNumber, 10)
    .option('--sessions <list>', 'numbers of sessions', (text) => text.split(',').map(wholeNumber), [1_000, 5_000])
    .option('--transaction-seconds <number>', 'seconds of transactions', wholeNumber, 90)
    .option('--submits <number>', 'submits of each kind', wholeNumber, 2_000)
    .option('--profile', 'leave a processor profile of the server in /tmp', false)
    .parse([...args], { from: 'user' })
    .opts<Options>();
}

function partList(text: string): string[] {
  const wanted = text.split(',');
  const unknown = wanted.find((one) => !(parts as readonly string[]).includes(one));
  if (unknown !== undefined) throw new InvalidArgumentError(`expected some of ${parts.join(', ')}`);
  return wanted;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

async function submits({ submits: rounds, profile }: Options): Promise<void> {
  say('## Submits with an encrypted field: milliseconds besides the host\n');
  const bed = await SessionBed.open({ keysReady: 8, start: 'STAMPED', gcm: true, profile });
  try {
    await bed.quiet();
    const figures: SubmitFigures[] = [];
    for (const gcm of [false, true]) {
      figures.push(...(await bed.client().do<SubmitFigures[]>({ kind: 'submits', url: bed.url, gcm, rounds })));
    }
    const milliseconds = (value: number) => value.toFixed(3);
    table(
      ['way', 'password', 'p50', 'p99', 'p50 more than in clear'],
      figures.map(({ way, variant, p50, p99 }) => {
        const clear = figures.find((one) => one.way === way && one.variant === 'in clear')?.p50 ?? Number.NaN;
        return [way, variant, milliseconds(p50), milliseconds(p99), milliseconds(p50 - clear)];
      }),
    );
    const worst = Math.max(...figures.filter(({ variant }) => variant === 'encrypted').map(({ p50 }) => p50));
    target(
      'p50 of a submit with an encrypted field ≤ 1 ms besides the host',
      worst <= 1,
      `${worst.toFixed(2)} ms at most`,
    );
  } finally {
    await bed.close();
  }
}

async function updates(): Promise<void> {
  say('## Bytes over the WebSocket\n');
  const bed = await SessionBed.open({ keysReady: 8, start: 'LOGON' });
  try {
    const { whole, another, small, turns } = await countUpdates(bed.url);
    const row = (name: string, sizes: readonly number[]) => [
      name,
      ...[sizes.length, Math.min(...sizes), median(sizes), Math.max(...sizes)].map((one) => one.toFixed(0)),
    ];
    table(
      ['24 x 80', 'messages', 'least', 'median', 'most'],
      [
        row('whole screen', [...whole.values()]),
        row('sent where another screen came', another),
        row('sent where a part changed', small),
        row('whose turn it is, nothing else', turns),
      ],
    );
    say(`Whole screens: ${[...whole].map(([name, size]) => `${name} ${size}`).join(', ')}.\n`);
    const size = median([...whole.values()]);
    target('median of a whole screen ≤ 2,048 bytes', size <= 2_048, size.toFixed(0));
    target('median of a small change ≤ 200 bytes', median(small) <= 200, median(small).toFixed(0));
  } finally {
    await bed.close();
  }
}

async function manySessions({ sessions, transactionSeconds: seconds, profile }: Options): Promise<void> {
  say('## Many sessions in one server process\n');
  const bed = await SessionBed.open({ keysReady: 256, start: 'STAMPED', profile });
  try {
    const client = bed.client();
    const { url, server, host } = bed;
    // memory that V8 and libcrypto need once, for any number of sessions
    await client.do({ kind: 'openScreens', url, sessions: 50 });
    await client.do({ kind: 'transactions', perSecond: 200, seconds: 5 });
    await client.do({ kind: 'closeScreens' });
    await bed.quiet();
    const before = await bed.memory();
    say(`Without sessions: ${mebibytes(before.rss)} MiB resident, ${mebibytes(before.heapUsed)} of heap in use.\n`);
    const memoryRows: string[][] = [];
    const loadRows: string[][] = [];
    const verdicts: (() => void)[] = [];
    for (const count of sessions) {
      const begin = performance.now();
      await client.do({ kind: 'openScreens', url, sessions: count });
      const opened = (performance.now() - begin) / 1_000;
      await bed.quiet();
      const each = (bytes: number) => (bytes / count / 1_024).toFixed(1);
      const memoryRow = async (when: string) => {
        const uncollected = residentMebibytes(server.pid, 'VmRSS') * 2 ** 20;
        const after = await bed.memory();
        const kibibytes = (after.rss - before.rss) / count / 1_024;
        memoryRows.push([
          `${count}, ${when}`,
          kibibytes.toFixed(1),
          each(uncollected - before.rss),
          each(after.heapUsed - before.heapUsed),
          each(after.external - before.external),
          mebibytes(after.rss),
        ]);
        return kibibytes;
      };
      const idle = await memoryRow(`opened in ${opened.toFixed(0)} s`);
      const watched = { client: client.process.pid, host: host.pid, server: server.pid };
      const perSecond = count * PER_SESSION_AND_SECOND;
      await client.do({ kind: 'transactions', perSecond, seconds: 5 });
      await bed.longestStop();
      const used = usageOf(watched);
      const machine = machineSeconds();
      const figures = await client.do<TransactionFigures>({ kind: 'transactions', perSecond, seconds });
      const spent = difference(usageOf(watched), used);
      const strangers = machineSeconds() - machine - spent.server - spent.host - spent.client;
      const stop = await bed.longestStop();
      const worked = await memoryRow(`after ${figures.count} transactions`);
      const spread = ({ p50, p99, most }: TransactionFigures['added']) =>
        [p50, p99, most].map((one) => one.toFixed(2)).join(' / ');
      loadRows.push([
        String(count),
        figures.perSecond.toFixed(0),
        spread(figures.roundTrip),
        spread(figures.added),
        ...[spent.server, spent.host, spent.client, strangers].map(
          (one) => `${((one / (seconds + 1)) * 100).toFixed(0)} %`,
        ),
        figures.bytes.toFixed(0),
        String(figures.skipped),
        `${stop.toFixed(0)} / ${figures.longestStop.toFixed(0)}`,
      ]);
      verdicts.push(() => {
        const most = Math.max(idle, worked);
        target(`${count} sessions: ≤ 64 KiB each`, most <= 64, `${most.toFixed(1)} KiB`);
        const { p99 } = figures.added;
        target(`${count} sessions: p99 of what we add ≤ 25 ms`, p99 <= 25, `${p99.toFixed(1)} ms`);
      });
    }
    table(
      ['sessions', 'KiB each, resident', 'the same before collection', 'of it heap', 'of it external', 'MiB in all'],
      memoryRows,
    );
    table(
      [
        'sessions',
        'transactions/s',
        'round trip p50 / p99 / most, ms',
        'of it ours',
        'server, of a core',
        'host',
        'client',
        'other processes',
      ].concat('bytes to the page each', 'not answered in time', 'longest stop of the event loop, server / client, ms'),
      loadRows,
    );
    for (const tell of verdicts) tell();
  } finally {
    await bed.close();
  }
}

async function peer(): Promise<void> {
  say("## Debian's s3270, a process for each session\n");
  const bed = await SessionBed.open({ keysReady: 1, start: 'STAMPED' });
  try {
    const { kibibytes, screenBytes, p50, p99, sessions } = await measurePeer(bed.hostPort);
    table(
      [
        's3270 processes',
        'KiB each (proportional set size)',
        'bytes of a screen (ReadBuffer)',
        'Enter and ReadBuffer p50 / p99, ms',
      ],
      [[String(sessions), kibibytes.toFixed(0), screenBytes.toFixed(0), `${p50.toFixed(2)} / ${p99.toFixed(2)}`]],
    );
  } finally {
    await bed.close();
  }
}
