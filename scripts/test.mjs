// npm test [-- ARGUMENTS OF MOCHA]: installs, builds (which is the type check), lints and runs all tests in parallel.
// npm test -- FILE …: compiles changes and runs these test files, such as test/lib/errors.test.ts.
// npm run test:fast: compiles and runs the short test files that start no process, browser or server.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { ensureOutsideParts } from './outside-parts.mjs';
import { fastTests, testFiles } from './test-files.mjs';

/** A test file spends two thirds of its time waiting for a browser, a host or a thread. */
const JOBS_A_CORE = 3;
/** With more jobs, browsers and hosts slow each other down. */
const MOST_JOBS = 6;
/** Failures in more files are not accidental. */
const MOST_FILES_TRIED_AGAIN = 3;
/** Durations of test files in the last complete run on this machine. */
const lastDurations = join(projectFolder, 'dist', 'test-durations.json');
/** Durations of the slowest test files on another machine. */
const knownDurations = join(projectFolder, 'scripts', 'test-durations.json');

const isFast = process.argv.includes('--fast');
const given = process.argv.slice(2).filter((argument) => argument !== '--fast');
const namesFiles = given.some(isTestFile);

ensureInstalled();
ensureBuilt();
if (!isFast) ensureOutsideParts();

const linted = isFast || namesFiles ? { failed: false, said: '' } : lint();
const first = await runTests(mochaArguments(given));
// with arguments, some tests may have been left out
if (given.length === 0 && !isFast) writeFileSync(lastDurations, JSON.stringify(first.report.durations));
const second = mayTryAgain(first) ? await runTests(failedFiles(first.report.failures), 1) : undefined;
const { failed: lintFailed, said } = await linted;
const unsteady = second?.report.failed === 0 && !second.mochaFailed ? first.report.failures : [];
const isGreenAtLast = unsteady.length > 0;
const { skips, slowest } = first.report;
const mochaFailed = first.mochaFailed && !isGreenAtLast;
const passed = first.report.passed + unsteady.length;
const failed = isGreenAtLast ? 0 : first.report.failed;

process.stdout.write(`\n${said}`);
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
// optional parts may be missing on a machine
const avoidable = skips.filter((skip) => !skip.includes('[optional: '));
const skipsFail = process.env.CI === 'true' && avoidable.length > 0;
if (skipsFail) process.stdout.write('CI=true: a skip is a failure.\n');
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skips.length} skipped\n`);
process.exitCode = lintFailed || mochaFailed || failed > 0 || skipsFail || passed === 0 ? 1 : 0;

/** On CI, a few failed tests are retried: parallel tests may have disturbed them. */
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

/** Runs in parallel to the tests; its output is printed after theirs. */
async function lint() {
  const colours = process.stdout.isTTY ? '--colors=force' : '--colors=off';
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', colours, '.'];
  let said = '';
  const status = await runNode(biome, {}, (text) => {
    said += text;
  });
  return { failed: status !== 0, said };
}

async function runTests(mochaArguments, jobs = Math.min(availableParallelism() * JOBS_A_CORE, MOST_JOBS)) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'));
  const reportFile = join(folder, 'report.json');
  try {
    const status = await runNode(
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
    return { mochaFailed: true, report: { passed: 0, failed: 1, skips: [], failures: [], slowest: [], durations: {} } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Without named test files: all of them, longest first. A long file started last would run while other cores are idle.
 */
function mochaArguments(given) {
  if (namesFiles) return given.map((argument) => (isTestFile(argument) ? compiledTest(argument) : argument));
  if (isFast) return [...given, ...fastTests(durationsIn(knownDurations))];
  const durations = { ...durationsIn(knownDurations), ...durationsIn(lastDurations) };
  const durationOf = (file) => durations[relative(projectFolder, file)] ?? 0;
  return [...given, ...testFiles().sort((one, other) => durationOf(other) - durationOf(one))];
}

function isTestFile(argument) {
  return /\.test\.(ts|js)$/.test(argument);
}

function compiledTest(file) {
  const path = relative(projectFolder, resolve(file));
  return join(projectFolder, path.startsWith('dist') ? '' : 'dist', path.replace(/\.ts$/, '.js'));
}

/** Milliseconds by path of the file. */
function durationsIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/**
 * Without NODE_EXTRA_CA_CERTS: each start of Node reads all its certificates, which takes longer than the start itself.
 * The tests start Node some thousand times, and none connects to an external server.
 * @param hear receives the output; by default it is printed
 */
function runNode(args, variables = {}, hear = undefined) {
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    stdio: hear === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...variables },
  });
  child.stdout?.setEncoding('utf8').on('data', hear);
  child.stderr?.setEncoding('utf8').on('data', hear);
  return new Promise((resolve) => child.once('close', resolve));
}
