// npm run bench:console [-- OPTIONS]: builds if needed, then measures the list of live sessions in Chromium.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, projectFolder } from '../../scripts/build.mjs';

// another build folder, for measuring a tree during development
const compiled = process.env.SALLYPORT_BENCH_BUILD;
if (compiled === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const { benchmarkConsole } = await import(
  pathToFileURL(join(compiled ?? join(projectFolder, 'dist'), 'bench', 'console', 'benchmark-console.js')).href
);
process.exitCode = await benchmarkConsole(process.argv.slice(2));
