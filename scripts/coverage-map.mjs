// npm run coverage-map [-- FOLDERS OF test/]: writes the functions that each test file reaches to
// dist/coverage-map.json.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';
import { CoverageCollection } from './coverage.mjs';
import { FaultyCopy } from './faulty-copy.mjs';
import { ensureOutsideParts } from './outside-parts.mjs';
import { testFiles } from './test-files.mjs';

ensureInstalled();
ensureBuilt();
ensureOutsideParts();
const folders = process.argv.slice(2);
const tests = testFiles()
  .map((file) => relative(join(projectFolder, 'dist', 'test'), file).slice(0, -'.test.js'.length))
  .filter((test) => folders.length === 0 || folders.some((folder) => test.startsWith(`${folder}/`)));
if (tests.length === 0) {
  process.stderr.write(`There are no tests in ${folders.join(', ')}.\n`);
  process.exit(2);
}
const copy = new FaultyCopy();
copy.removeBundle();
const collection = new CoverageCollection(join(copy.folder, 'dist'));
const left = [...tests];
let done = 0;
await Promise.all(Array.from({ length: availableParallelism() }, work));
collection.write();

async function work() {
  for (let test = left.shift(); test !== undefined; test = left.shift()) {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-coverage-'));
    const { failures, milliseconds } = await copy.runTests([test], { NODE_V8_COVERAGE: folder });
    done += 1;
    if (failures.length === 0) collection.add(test, milliseconds, folder);
    else process.stdout.write(`left out, as it fails: ${test}: ${failures[0]}\n`);
    rmSync(folder, { recursive: true, force: true });
    if (done % 20 === 0 || done === tests.length) process.stdout.write(`${done} of ${tests.length} test files\n`);
  }
}
