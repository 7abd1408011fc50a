// npm run bench:sessions [-- OPTIONS]: installs and builds if needed, then measures browser sessions.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, projectFolder } from '../../scripts/build.mjs';

// another build folder, for measuring a tree during development
const compiled = process.env.SALLYPORT_BENCH_BUILD;
if (compiled === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const { benchmarkSessions } = await import(
  pathToFileURL(join(compiled ?? join(projectFolder, 'dist'), 'bench', 'sessions', 'benchmark-sessions.js')).href
);
process.exitCode = await benchmarkSessions(process.argv.slice(2));
