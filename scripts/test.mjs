// npm test [-- ARGUMENTS OF MOCHA]: installs, builds (which is the type check), lints and runs every test, files side by side.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { ensureOutsideParts } from './outside-parts.mjs';

/** Half of the time a file waits: for a browser, a host, a thread. */
const JOBS_A_CORE = 2;
/** More side by side would wait for each other's browsers and hosts. */
const MOST_JOBS = 6;
/** Files of these folders take longest: begun last, one of them would keep a core busy while the others have nothing left. */
const longFolders = ['browser', 'cli', 'web', 'security'];

ensureInstalled();
ensureBuilt();
ensureOutsideParts();

const colours = process.stdout.isTTY ? [] : ['--colors=off'];
const lintFailed =
  runNode(['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.']) !== 0;
const { mochaFailed, report } = runTests();
const { passed, failed, skips, slowest } = report;

if (lintFailed) process.stdout.write('\nThe lint failed. What it said stands above.\n');
if (skips.length > 0) process.stdout.write(`\nSkipped:\n${skips.map((skip) => `  - ${skip}\n`).join('')}`);
if (slowest.length > 1) {
  const rows = slowest.map(
    ({ file, milliseconds }) => `  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${file}\n`,
  );
  process.stdout.write(`\nThe slowest files:\n${rows.join('')}`);
}
// what not every machine can have may be missing
const avoidable = skips.filter((skip) => !skip.includes('[optional: '));
const skipsFail = process.env.CI === 'true' && avoidable.length > 0;
if (skipsFail) process.stdout.write('CI=true: a skip is a failure.\n');
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skips.length} skipped\n`);
process.exitCode = lintFailed || mochaFailed || failed > 0 || skipsFail || passed === 0 ? 1 : 0;

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'));
  const reportFile = join(folder, 'report.json');
  try {
    const status = runNode(
      [
        'node_modules/mocha/bin/mocha.js',
        '--reporter',
        join(projectFolder, 'scripts', 'reporter.mjs'),
        '--parallel',
        '--jobs',
        String(Math.min(availableParallelism() * JOBS_A_CORE, MOST_JOBS)),
        ...mochaArguments(process.argv.slice(2)),
      ],
      { SALLYPORT_TEST_REPORT: reportFile },
    );
    return { mochaFailed: status !== 0, report: JSON.parse(readFileSync(reportFile, 'utf8')) };
  } catch {
    process.stdout.write('\nThe test run broke off before its end.\n');
    return { mochaFailed: true, report: { passed: 0, failed: 1, skips: [], slowest: [] } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where no test file is named, all of them. */
function mochaArguments(given) {
  if (given.some((argument) => argument.endsWith('.test.js'))) return given;
  const rank = (file) => {
    const place = longFolders.indexOf(file.split(sep)[0]);
    return place < 0 ? longFolders.length : place;
  };
  const tests = join(projectFolder, 'dist', 'test');
  const files = readdirSync(tests, { recursive: true }).filter((file) => file.endsWith('.test.js'));
  const inOrder = files.sort().sort((one, other) => rank(one) - rank(other));
  return [...given, ...inOrder.map((file) => join(tests, file))];
}

function runNode(args, variables = {}) {
  return spawnSync(process.execPath, args, {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  }).status;
}
