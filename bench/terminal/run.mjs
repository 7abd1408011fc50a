// npm run bench:terminal [-- OPTIONS]: builds if needed, then measures the terminal and xterm.js in Chromium.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, projectFolder } from '../../scripts/build.mjs';

// another build folder, for measuring a tree during development
const compiled = process.env.SALLYPORT_BENCH_BUILD;
if (compiled === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const { benchmarkTerminal } = await import(
  pathToFileURL(join(compiled ?? join(projectFolder, 'dist'), 'bench', 'terminal', 'benchmark-terminal.js')).href
);
process.exitCode = await benchmarkTerminal(process.argv.slice(2));
