// npm run fuzz [-- RECORDS [SEED]]: sends mutated records through the 3270 engine and the printers, and checks that
// memory does not grow. Then it measures how long floods of hosts and terminals block the event loop.
import { ensureBuilt, ensureInstalled } from './build.mjs';

ensureInstalled();
ensureBuilt();
const { fuzzEngine, MOST_MILLISECONDS } = await import('../dist/test/fuzz/engine-fuzz.js');
const { fuzzTransfers } = await import('../dist/test/fuzz/transfer-fuzz.js');
const { fuzzPrinters } = await import('../dist/test/fuzz/print-fuzz.js');
const { LONGEST_HOLD_MILLISECONDS, measureHolds } = await import('../dist/test/fuzz/hold-measure.js');
const total = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const rounds = 10;
const sizes = [];
let faults = 0;
let slowest = 0;
process.stdout.write(`${total} records, seed ${seed}\n`);
for (let round = 0; round < rounds; round++) {
  const result = fuzzEngine(Math.ceil(total / rounds), seed + round);
  faults += result.faults;
  slowest = Math.max(slowest, result.slowest);
  globalThis.gc?.();
  sizes.push(Math.round(process.memoryUsage().heapUsed / 1024 / 1024));
  process.stdout.write(
    `  ${round + 1}/${rounds}: ${faults} faults, slowest ${slowest.toFixed(1)} ms, heap ${sizes.at(-1)} MiB\n`,
  );
}
const grown = sizes.at(-1) - sizes[1];
process.stdout.write(
  `nothing threw; slowest record ${slowest.toFixed(1)} ms; heap grew by ${grown} MiB from the second round on\n`,
);
if (slowest > MOST_MILLISECONDS || grown > 16) process.exitCode = 1;
const transfers = fuzzTransfers(3 * total, seed);
process.stdout.write(
  `${transfers.records} requests, replies and frames of file transfers: ${transfers.faults} faults, nothing threw; slowest ${transfers.slowest.toFixed(1)} ms\n`,
);
if (transfers.slowest > MOST_MILLISECONDS) process.exitCode = 1;
const printed = fuzzPrinters(2 * total, seed);
process.stdout.write(
  `printers: ${printed.records} records, ${printed.faults} faults, slowest ${printed.slowest.toFixed(1)} ms; nothing threw\n`,
);
if (printed.slowest > MOST_MILLISECONDS) process.exitCode = 1;
for (const { name, milliseconds } of await measureHolds(seed)) {
  const isLong = milliseconds > LONGEST_HOLD_MILLISECONDS;
  if (isLong) process.exitCode = 1;
  process.stdout.write(
    `  ${isLong ? 'TOO LONG ' : ''}${name}: held the event loop for ${milliseconds.toFixed(1)} ms at most\n`,
  );
}
