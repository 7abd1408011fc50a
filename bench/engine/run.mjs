// npm run bench:engine: installs and builds if needed, then measures the 3270 engine and Debian's s3270.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkEngine } = await import('../../dist/bench/engine/benchmark-engine.js');
process.exitCode = await benchmarkEngine(process.argv.slice(2));
