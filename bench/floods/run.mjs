// npm run bench:floods [-- OPTIONS]: installs and builds if needed, then measures an honest client while one address floods the server.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkFloods } = await import('../../dist/bench/floods/benchmark-floods.js');
process.exitCode = await benchmarkFloods(process.argv.slice(2));
