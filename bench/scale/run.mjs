// npm run bench:scale [-- OPTIONS]: installs and builds if needed, then measures several processes and several servers.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkScale } = await import('../../dist/bench/scale/benchmark-scale.js');
process.exitCode = await benchmarkScale(process.argv.slice(2));
