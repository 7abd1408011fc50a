// npm run bench:terminal [-- OPTIONS]: installs and builds where needed, then measures the terminal in Chromium, beside xterm.js.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, projectFolder } from '../../scripts/build.mjs';

// another folder of compiled files, for measuring a tree that is being worked on
const compiled = process.env.SALLYPORT_BENCH_BUILD;
if (compiled === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const { benchmarkTerminal } = await import(
  pathToFileURL(join(compiled ?? join(projectFolder, 'dist'), 'bench', 'terminal', 'benchmark-terminal.js')).href
);
process.exitCode = await benchmarkTerminal(process.argv.slice(2));
