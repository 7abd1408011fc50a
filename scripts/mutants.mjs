// npm run mutants [-- OPTIONS]: puts the faults of test/mutants into a copy of the project, one at a time, and says which
// of them no test notices.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';

const LEAST_PERCENT = 95;
const LONGEST_RUN_MILLISECONDS = 180_000;
const notCopied = new Set(['.git', 'node_modules']);
const help = `npm run mutants [-- OPTIONS]: whether tests notice faults that are put into the code on purpose
  --room NAME   only the faults of test/mutants/NAME.yaml; may stand several times
  --only TEXT   only the faults that have this text in their name
  --help        this text
The exit code is 0 where at least ${LEAST_PERCENT} % are noticed, all others give a reason in the list, and every fault still
fits the code.
`;

const { room: rooms = [], only = '', help: isHelp = false } = readOptions();
if (isHelp) {
  process.stdout.write(help);
  process.exit(0);
}
ensureInstalled();
ensureBuilt();
const { transform } = await import('esbuild');
const { readFaultLists, staleness } = await import('../dist/test/mutants/fault-list.js');
const faults = readFaultLists(join(projectFolder, 'test', 'mutants')).filter(
  ({ room, fault }) => (rooms.length === 0 || rooms.includes(room)) && fault.includes(only),
);
if (faults.length === 0) refuse('No fault of the lists is meant by these options.');

const copy = mkdtempSync(join(tmpdir(), 'sallyport-mutants-'));
let running;
process.on('exit', () => {
  endRun();
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

makeCopy();
const failing = await failuresOfSoundCode();
const outcomes = [];
for (const [index, fault] of faults.entries()) {
  const outcome = await outcomeOf(fault);
  outcomes.push({ ...fault, ...outcome });
  const place = `${index + 1}/${faults.length}`.padEnd(8);
  process.stdout.write(
    `${place} ${outcome.kind.padEnd(9)} ${fault.room}: ${fault.fault}\n${' '.repeat(19)}${outcome.by}\n`,
  );
}
report(outcomes);

function readOptions() {
  try {
    return parseArgs({
      options: {
        room: { type: 'string', multiple: true },
        only: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(message) {
  process.stderr.write(`${message}\n\n${help}`);
  return process.exit(2);
}

/** The working tree is never touched: tests that run meanwhile, and whoever edits there, see no fault. */
function makeCopy() {
  for (const name of readdirSync(projectFolder)) {
    if (notCopied.has(name)) continue;
    cpSync(join(projectFolder, name), join(copy, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (from) => !notCopied.has(basename(from)),
    });
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(copy, 'node_modules'));
  // nothing is ever installed from the copy: what it would install to is the project's
  utimesSync(join(copy, 'package-lock.json'), 0, 0);
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error('the copy of the project could not be built');
}

/** A test that fails without a fault would notice every one. @returns the first failure of each that does */
async function failuresOfSoundCode() {
  const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
  const failing = new Map();
  process.stdout.write(`${faults.length} faults; first the ${tests.length} test files without any\n`);
  for (const test of tests) {
    const { failures, skips } = await runTests([test]);
    if (failures.length > 0) failing.set(test, failures[0]);
    if (skips.length > 0) process.stdout.write(`test/${test}.test.ts skips ${skips.length} tests here\n`);
  }
  return failing;
}

/** @returns what became of the fault, and what has shown it */
async function outcomeOf(fault) {
  const stale = staleness(fault, copy);
  if (stale !== undefined) return { kind: 'stale', by: stale };
  const unfit = fault.tests.find((test) => failing.has(test));
  if (unfit !== undefined) {
    return { kind: 'stale', by: `test/${unfit}.test.ts fails without a fault, too: ${failing.get(unfit)}` };
  }
  const source = readFileSync(join(copy, fault.file), 'utf8');
  let faulty;
  try {
    faulty = await compile(source.split(fault.find).join(fault.replace));
  } catch (error) {
    return { kind: 'stale', by: `does not compile: ${error.message}` };
  }
  // only what is run changes: a source that changed would have the copy built anew by the tests that start the server
  const compiled = join(copy, 'dist', fault.file.replace(/\.ts$/, '.js'));
  const sound = readFileSync(compiled);
  writeFileSync(compiled, faulty);
  rmSync(join(copy, 'dist', 'runtime'), { recursive: true, force: true });
  const { failures } = await runTests(fault.tests);
  writeFileSync(compiled, sound);
  if (failures.length > 0) return { kind: 'killed', by: failures[0] };
  return { kind: 'survived', by: fault.survives ?? 'no reason is given' };
}

async function compile(source) {
  const options = { loader: 'ts', format: 'esm', target: 'es2023', logLevel: 'silent' };
  return (await transform(source, { ...options, tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } }))
    .code;
}

/** The titles of the tests that failed: none, or the first. */
async function runTests(tests) {
  const reportFile = join(copy, 'report.json');
  rmSync(reportFile, { force: true });
  const files = tests.map((test) => join('dist', 'test', `${test}.test.js`));
  const reporter = join(copy, 'scripts', 'reporter.mjs');
  // a test that failed may have left a server open
  const options = ['--bail', '--exit', '--reporter', reporter];
  running = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options, ...files], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, SALLYPORT_TEST_REPORT: reportFile },
  });
  let isOverdue = false;
  const timer = setTimeout(() => {
    isOverdue = true;
    endRun();
  }, LONGEST_RUN_MILLISECONDS);
  await once(running, 'exit');
  clearTimeout(timer);
  endRun();
  if (isOverdue) return { failures: ['the tests did not end'], skips: [] };
  try {
    const { failures, skips } = JSON.parse(readFileSync(reportFile, 'utf8'));
    return { failures: failures.map(({ title }) => title), skips };
  } catch {
    return { failures: ['the tests broke off'], skips: [] };
  }
}

/** With everything that the tests have started. */
function endRun() {
  try {
    if (running !== undefined) process.kill(-running.pid, 'SIGKILL');
  } catch {
    // nothing of it is left
  }
  running = undefined;
}

function report(outcomes) {
  const of = (kind) => outcomes.filter((outcome) => outcome.kind === kind);
  const [killed, survivors, stale] = [of('killed'), of('survived'), of('stale')];
  process.stdout.write(tableOf(outcomes));
  process.stdout.write(listOf('Survived', survivors));
  process.stdout.write(listOf('Stale', stale));
  const outdated = killed.filter(({ survives }) => survives !== undefined);
  process.stdout.write(listOf('Killed, though the list gives a reason why not', outdated));
  const isExplained = survivors.every(({ survives }) => survives !== undefined);
  process.exitCode = percentOf(outcomes) >= LEAST_PERCENT && stale.length === 0 && isExplained ? 0 : 1;
}

function tableOf(outcomes) {
  const rooms = [...new Set(outcomes.map(({ room }) => room))];
  const rows = rooms.map((room) =>
    rowOf(
      room,
      outcomes.filter((outcome) => outcome.room === room),
    ),
  );
  return `\n${'room'.padEnd(12)}   killed survived    stale\n${rows.join('')}${rowOf('all', outcomes)}`;
}

function rowOf(name, outcomes) {
  const counts = ['killed', 'survived', 'stale'].map((kind) => String(count(outcomes, kind)).padStart(8));
  return `${name.padEnd(12)} ${counts.join(' ')} ${percentOf(outcomes).toFixed(1).padStart(7)} %\n`;
}

function listOf(title, outcomes) {
  const lines = outcomes.map(({ room, fault, by }) => `  - ${room}: ${fault}: ${by}\n`);
  return lines.length === 0 ? '' : `\n${title}:\n${lines.join('')}`;
}

function count(outcomes, kind) {
  return outcomes.filter((outcome) => outcome.kind === kind).length;
}

/** Of those that could be put in. */
function percentOf(outcomes) {
  return (100 * count(outcomes, 'killed')) / Math.max(1, outcomes.length - count(outcomes, 'stale'));
}
