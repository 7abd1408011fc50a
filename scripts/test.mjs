// npm test [-- ARGUMENTS OF MOCHA]: installs, builds (which is the type check), lints and runs every test.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { ensureOutsideParts } from './outside-parts.mjs';

ensureInstalled();
ensureBuilt();
ensureOutsideParts();

const colours = process.stdout.isTTY ? [] : ['--colors=off'];
const lintFailed =
  runNode(['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.']) !== 0;
const { mochaFailed, report } = runTests();
const { passed, failed, skips } = report;

if (lintFailed) process.stdout.write('\nThe lint failed. What it said stands above.\n');
if (skips.length > 0) process.stdout.write(`\nSkipped:\n${skips.map((skip) => `  - ${skip}\n`).join('')}`);
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
        ...process.argv.slice(2),
      ],
      { SALLYPORT_TEST_REPORT: reportFile },
    );
    return { mochaFailed: status !== 0, report: JSON.parse(readFileSync(reportFile, 'utf8')) };
  } catch {
    process.stdout.write('\nThe test run broke off before its end.\n');
    return { mochaFailed: true, report: { passed: 0, failed: 1, skips: [] } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNode(args, variables = {}) {
  return spawnSync(process.execPath, args, {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  }).status;
}
