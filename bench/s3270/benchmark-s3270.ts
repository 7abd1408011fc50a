import { parseArgs } from 'node:util';
import { measureSessions, type SessionSizes } from './measure-sessions.js';
import { measureStart } from './measure-start.js';
import { measureTransfers, type TransferSizes } from './measure-transfers.js';

const TARGET_KIB = 64;
const parts: Readonly<Record<string, (sizes: Sizes) => Promise<void>>> = { start, transfers, sessions };

interface Sizes {
  readonly starts: number;
  readonly transfers: TransferSizes;
  readonly sessions: SessionSizes;
}

const usual: Sizes = {
  starts: 15,
  transfers: { rounds: 4, files: 6, bytes: 4 * 1024 * 1024 },
  sessions: { ours: 1_000, theirs: 100, rounds: 2_000, idleMilliseconds: 10_000 },
};
/** For a functional check only: some parts run just the warm-up, and the figures mean nothing. */
const smallest: Sizes = {
  starts: 0,
  transfers: { rounds: 0, files: 1, bytes: 1_024 },
  sessions: { ours: 1, theirs: 1, rounds: 4, idleMilliseconds: 0 },
};

export async function benchmarkS3270(args: readonly string[]): Promise<number> {
  const flag = { type: 'boolean' } as const;
  const options = { parts: { type: 'string' }, smallest: flag, help: flag } as const;
  const { values } = parseArgs({ args: [...args], options });
  const asked = values.parts?.split(',') ?? Object.keys(parts);
  if (values.help === true || asked.some((name) => parts[name] === undefined)) {
    process.stdout.write(`npm run bench:s3270 -- [--parts ${Object.keys(parts).join(',')}] [--smallest]\n`);
    return values.help === true ? 0 : 2;
  }
  for (const name of asked) await parts[name]?.(values.smallest === true ? smallest : usual);
  return 0;
}

async function start({ starts }: Sizes): Promise<void> {
  process.stdout.write('From the start of the program to its first answer, milliseconds\n');
  for (const { what, milliseconds } of await measureStart(starts)) writeTimes(what, milliseconds);
}

async function transfers({ transfers: sizes }: Sizes): Promise<void> {
  process.stdout.write('File transfer: MB/s over loopback with the same simulated host, the best of the rounds\n');
  for (const { what, ours, theirs } of await measureTransfers(sizes)) {
    for (const which of ['first', 'later'] as const) {
      const [our, their] = [ours[which], theirs[which]];
      const figures = `ours ${our.toFixed(2).padStart(7)}   s3270 ${their.toFixed(2).padStart(7)}   ${(our / their).toFixed(2)}×`;
      process.stdout.write(`  ${`${what}, ${which} file`.padEnd(32)} ${figures}\n`);
    }
  }
}

async function sessions({ sessions: sizes }: Sizes): Promise<void> {
  process.stdout.write('Sessions: memory of each, and milliseconds of Enter and Ascii one after the other\n');
  const { kib, times } = await measureSessions(sizes);
  const missed = kib.ours > TARGET_KIB ? 'missed' : 'reached';
  process.stdout.write(
    `  ours ${kib.ours.toFixed(1)} KiB (target ${TARGET_KIB}: ${missed})   s3270 ${kib.theirs.toFixed(1)} KiB\n`,
  );
  for (const { what, milliseconds } of times) writeTimes(what, milliseconds);
}

function writeTimes(what: string, milliseconds: readonly number[]): void {
  const sorted = milliseconds.toSorted((left, right) => left - right);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2).padStart(7);
  process.stdout.write(`  ${what.padEnd(48)} p50 ${at(0.5)}   p99 ${at(0.99)}\n`);
}
