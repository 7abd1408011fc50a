import { measureSessions } from './measure-sessions.js';
import { measureTransfers } from './measure-transfers.js';

const TARGET_KIB = 64;

/** Measures ours and Debian's s3270 in turn, in one run. @returns the exit code */
export async function benchmarkS3270(): Promise<number> {
  process.stdout.write('File transfer: MB/s over loopback with the same simulated host, the best of the rounds\n');
  for (const { what, ours, theirs } of await measureTransfers()) {
    for (const which of ['first', 'later'] as const) {
      const [our, their] = [ours[which], theirs[which]];
      const figures = `ours ${our.toFixed(2).padStart(7)}   s3270 ${their.toFixed(2).padStart(7)}   ${(our / their).toFixed(2)}×`;
      process.stdout.write(`  ${`${what}, ${which} file`.padEnd(32)} ${figures}\n`);
    }
  }
  process.stdout.write('Sessions: memory of each, and milliseconds of Enter and Ascii one after the other\n');
  const { kib, times } = await measureSessions();
  const missed = kib.ours > TARGET_KIB ? 'missed' : 'reached';
  process.stdout.write(
    `  ours ${kib.ours.toFixed(1)} KiB (target ${TARGET_KIB}: ${missed})   s3270 ${kib.theirs.toFixed(1)} KiB\n`,
  );
  for (const { what, milliseconds } of times) {
    const sorted = milliseconds.toSorted((left, right) => left - right);
    const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2).padStart(7);
    process.stdout.write(`  ${what.padEnd(48)} p50 ${at(0.5)}   p99 ${at(0.99)}\n`);
  }
  return 0;
}
