// npm run mutants [-- OPTIONS]: puts the faults of test/mutants into a copy of the project, one by one. It reports the
// faults that no test detects.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { codeFiles, readCoverageMap } from './coverage.mjs';
import { drawFaults } from './drawn-faults.mjs';
import { FaultyCopy } from './faulty-copy.mjs';

const LEAST_PERCENT = 95;
const FILES_A_RUN = 10;
/** Limit of the total test time for a random fault, by the coverage map; slower files are left out. */
const LONGEST_TESTS_MILLISECONDS = 120_000;
const help = `npm run mutants [-- OPTIONS]: whether tests notice faults that are put into the code on purpose
  --room NAME   only the faults of test/mutants/NAME.yaml; may stand several times
  --only TEXT   only the faults that have this text in their name
  --sample N    not the faults of the lists, but N that are drawn from the code; needs npm run coverage-map; for each of
                them run the test files that reach it, the nearest first, for some two minutes
  --seed N      draws others (default: 1)
  --help        this text
The exit code is 0 where at least ${LEAST_PERCENT} % are noticed, all others give a reason in the list, and every fault still
fits the code.
`;

const { room: rooms = [], only = '', sample, seed = '1', help: isHelp = false } = readOptions();
if (isHelp) {
  process.stdout.write(help);
  process.exit(0);
}
if (![sample ?? '1', seed].every((number) => /^[1-9]\d{0,5}$/.test(number)))
  refuse('--sample and --seed are numbers from 1 to 999999.');
ensureInstalled();
ensureBuilt();
const { transform } = await import('esbuild');
const { readFaultLists, staleness } = await import('../dist/test/mutants/fault-list.js');
const faults = sample === undefined ? listedFaults() : sampledFaults();
if (faults.length === 0) refuse('No fault is meant by these options.');
const copy = new FaultyCopy();
// the coverage map contains only passing test files
const failing = sample === undefined ? await failuresOfSoundCode() : new Map();
const outcomes = [];
for (const [index, fault] of faults.entries()) {
  const outcome = await (sample === undefined ? outcomeOf(fault) : outcomeOfDrawn(fault));
  outcomes.push({ ...fault, ...outcome });
  const place = `${index + 1}/${faults.length}`.padEnd(8);
  process.stdout.write(
    `${place} ${outcome.kind.padEnd(9)} ${fault.room}: ${fault.fault}\n${' '.repeat(19)}${outcome.by}\n`,
  );
}
report(outcomes);

function listedFaults() {
  return readFaultLists(join(projectFolder, 'test', 'mutants')).filter(
    ({ room, fault }) => (rooms.length === 0 || rooms.includes(room)) && fault.includes(only),
  );
}

/** The tests of a random fault are those that reach its function, nearest and shortest first. */
function sampledFaults() {
  const map = readCoverageMap();
  if (map === undefined) refuse('There is no coverage map. Run npm run coverage-map first.');
  const files = codeFiles().filter(({ room }) => rooms.length === 0 || rooms.includes(room));
  return drawFaults(files, Number(sample), Number(seed)).map((fault) => ({
    ...fault,
    ...testsToRun(map, map.testsOf(fault.file, fault.start)),
  }));
}

function testsToRun(map, reaching) {
  let left = LONGEST_TESTS_MILLISECONDS;
  const tests = reaching.filter((test, index) => {
    left -= map.millisecondsOf(test);
    return index === 0 || left >= 0;
  });
  return { tests, leftOut: reaching.length - tests.length };
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        room: { type: 'string', multiple: true },
        only: { type: 'string' },
        sample: { type: 'string' },
        seed: { type: 'string' },
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

/** A test that fails without a fault would detect every fault. @returns the first failure of each such file */
async function failuresOfSoundCode() {
  const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
  const failing = new Map();
  process.stdout.write(`${faults.length} faults; first the ${tests.length} test files without any\n`);
  for (const test of tests) {
    const { failures, skips } = await copy.runTests([test]);
    if (failures.length > 0) failing.set(test, failures[0]);
    if (skips.length > 0) process.stdout.write(`test/${test}.test.ts skips ${skips.length} tests here\n`);
  }
  return failing;
}

async function outcomeOf(fault) {
  const stale = staleness(fault, copy.folder);
  if (stale !== undefined) return { kind: 'stale', by: stale };
  const unfit = fault.tests.find((test) => failing.has(test));
  if (unfit !== undefined) {
    return { kind: 'stale', by: `test/${unfit}.test.ts fails without a fault, too: ${failing.get(unfit)}` };
  }
  const source = readFileSync(join(copy.folder, fault.file), 'utf8');
  let faulty;
  try {
    faulty = await compile(source.split(fault.find).join(fault.replace));
  } catch (error) {
    return { kind: 'stale', by: `does not compile: ${error.message}` };
  }
  const { failures } = await copy.runTestsWith(fault.file.replace(/\.ts$/, '.js'), faulty, fault.tests);
  if (failures.length > 0) return { kind: 'killed', by: failures[0] };
  return { kind: 'survived', by: fault.survives ?? 'no reason is given' };
}

async function outcomeOfDrawn({ file, faulty, tests, leftOut }) {
  if (tests.length === 0) return { kind: 'survived', by: 'no test reaches it' };
  for (let from = 0; from < tests.length; from += FILES_A_RUN) {
    const { failures } = await copy.runTestsWith(file, faulty, tests.slice(from, from + FILES_A_RUN));
    if (failures.length > 0) return { kind: 'killed', by: failures[0] };
  }
  return {
    kind: 'survived',
    by: `${tests.length} test files that run the function pass, and ${leftOut} were left out`,
  };
}

async function compile(source) {
  const options = { loader: 'ts', format: 'esm', target: 'es2023', logLevel: 'silent' };
  return (await transform(source, { ...options, tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } }))
    .code;
}

function report(outcomes) {
  const of = (kind) => outcomes.filter((outcome) => outcome.kind === kind);
  const [killed, survivors, stale] = [of('killed'), of('survived'), of('stale')];
  process.stdout.write(tableOf(outcomes));
  process.stdout.write(listOf('Survived', survivors));
  process.stdout.write(listOf('Stale', stale));
  const outdated = killed.filter(({ survives }) => survives !== undefined);
  process.stdout.write(listOf('Killed, though the list gives a reason why not', outdated));
  const isExplained = sample !== undefined || survivors.every(({ survives }) => survives !== undefined);
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

function percentOf(outcomes) {
  return (100 * count(outcomes, 'killed')) / Math.max(1, outcomes.length - count(outcomes, 'stale'));
}
