import { measureTransfers } from './measure-transfers.js';

/** Measures ours and Debian's s3270 in turn, in one run. @returns the exit code */
export async function benchmarkS3270(): Promise<number> {
  process.stdout.write('File transfer: MB/s over loopback with the same simulated host, the best of the rounds\n');
  for (const { what, ours, theirs } of await measureTransfers()) {
    process.stdout.write(
      `  ${what.padEnd(24)} ours ${ours.toFixed(2).padStart(7)}   s3270 ${theirs.toFixed(2).padStart(7)}   ${(ours / theirs).toFixed(2)}×\n`,
    );
  }
  return 0;
}
