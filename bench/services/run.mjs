// npm run bench:services [-- OPTIONS]: builds if needed, then measures calls of services in pools of sessions.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkServices } = await import('../../dist/bench/services/benchmark-services.js');
process.exitCode = await benchmarkServices(process.argv.slice(2));
