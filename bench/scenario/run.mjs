// npm run bench:scenario [-- OPTIONS]: installs and builds if needed, then runs the benchmark.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, projectFolder } from '../../scripts/build.mjs';

// another build folder, for measuring a tree during development
const compiled = process.env.SALLYPORT_BENCH_BUILD;
if (compiled === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const { benchmarkScenario } = await import(
  pathToFileURL(join(compiled ?? join(projectFolder, 'dist'), 'bench', 'scenario', 'benchmark-scenario.js')).href
);
process.exitCode = await benchmarkScenario(process.argv.slice(2));
