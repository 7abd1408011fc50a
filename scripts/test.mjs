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
/** More failures than those of so many files are no accident. */
const MOST_FILES_TRIED_AGAIN = 3;
/** Files of these folders take longest: begun last, one of them would keep a core busy while the others have nothing left. */
const longFolders = ['browser', 'cli', 'web', 'security'];

ensureInstalled();
ensureBuilt();
ensureOutsideParts();

const colours = process.stdout.isTTY ? [] : ['--colors=off'];
const lintFailed =
  runNode(['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.']) !== 0;
const first = runTests(mochaArguments(process.argv.slice(2)));
const second = mayTryAgain(first) ? runTests(failedFiles(first.report.failures), 1) : undefined;
const unsteady = second?.report.failed === 0 && !second.mochaFailed ? first.report.failures : [];
const isGreenAtLast = unsteady.length > 0;
const { skips, slowest } = first.report;
const mochaFailed = first.mochaFailed && !isGreenAtLast;
const passed = first.report.passed + unsteady.length;
const failed = isGreenAtLast ? 0 : first.report.failed;

if (lintFailed) process.stdout.write('\nThe lint failed. What it said stands above.\n');
if (isGreenAtLast) {
  const rows = unsteady.map(({ title }) => `  - ${title}\n`);
  process.stdout.write(
    `\nUnsteady: failed beside the other files, passed alone. Each is a defect to be mended:\n${rows.join('')}`,
  );
}
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

/** On CI a few tests that fail beside all the others have a second try; at a desk a failure is a failure. */
function mayTryAgain({ report: { failures } }) {
  return (
    process.env.CI === 'true' &&
    failures.length > 0 &&
    failures.every(({ file }) => file) &&
    failedFiles(failures).length <= MOST_FILES_TRIED_AGAIN
  );
}

function failedFiles(failures) {
  return [...new Set(failures.map(({ file }) => file))];
}

function runTests(mochaArguments, jobs = Math.min(availableParallelism() * JOBS_A_CORE, MOST_JOBS)) {
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
        String(jobs),
        ...mochaArguments,
      ],
      { SALLYPORT_TEST_REPORT: reportFile },
    );
    return { mochaFailed: status !== 0, report: JSON.parse(readFileSync(reportFile, 'utf8')) };
  } catch {
    process.stdout.write('\nThe test run broke off before its end.\n');
    return { mochaFailed: true, report: { passed: 0, failed: 1, skips: [], failures: [], slowest: [] } };
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
