import { parseArgs } from 'node:util';
import { measureSessions } from './measure-sessions.js';
import { measureStart } from './measure-start.js';
import { measureTransfers } from './measure-transfers.js';

const TARGET_KIB = 64;
const parts: Readonly<Record<string, () => Promise<void>>> = { start, transfers, sessions };

/** Measures ours and Debian's s3270 in turn, in one run. @returns the exit code */
export async function benchmarkS3270(): Promise<number> {
  const { values } = parseArgs({ options: { parts: { type: 'string' }, help: { type: 'boolean' } } });
  const asked = values.parts?.split(',') ?? Object.keys(parts);
  if (values.help === true || asked.some((name) => parts[name] === undefined)) {
    process.stdout.write(`npm run bench:s3270 -- [--parts ${Object.keys(parts).join(',')}]\n`);
    return values.help === true ? 0 : 2;
  }
  for (const name of asked) await parts[name]?.();
  return 0;
}

async function start(): Promise<void> {
  process.stdout.write('From the start of the program to its first answer, milliseconds\n');
  for (const { what, milliseconds } of await measureStart()) writeTimes(what, milliseconds);
}

async function transfers(): Promise<void> {
  process.stdout.write('File transfer: MB/s over loopback with the same simulated host, the best of the rounds\n');
  for (const { what, ours, theirs } of await measureTransfers()) {
    for (const which of ['first', 'later'] as const) {
      const [our, their] = [ours[which], theirs[which]];
      const figures = `ours ${our.toFixed(2).padStart(7)}   s3270 ${their.toFixed(2).padStart(7)}   ${(our / their).toFixed(2)}×`;
      process.stdout.write(`  ${`${what}, ${which} file`.padEnd(32)} ${figures}\n`);
    }
  }
}

async function sessions(): Promise<void> {
  process.stdout.write('Sessions: memory of each, and milliseconds of Enter and Ascii one after the other\n');
  const { kib, times } = await measureSessions();
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
