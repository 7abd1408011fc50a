import { measureTransfers } from './measure-transfers.js';

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
  return 0;
}
