// npm run bench:printers: installs and builds if needed, then measures how long documents block the event loop.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkPrinters } = await import('../../dist/bench/printers/benchmark-printers.js');
process.exitCode = await benchmarkPrinters(process.argv.slice(2));
