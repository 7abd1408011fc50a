// npm run bench:reload [-- OPTIONS]: installs and builds if needed, then measures reloads under load.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkReload } = await import('../../dist/bench/reload/benchmark-reload.js');
process.exitCode = await benchmarkReload(process.argv.slice(2));
