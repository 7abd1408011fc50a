// npm run tests-of -- src/FILE.ts …: lists the test files that run these files, shortest first (npm run coverage-map).
import { readCoverageMap } from './coverage.mjs';

const files = process.argv.slice(2);
const map = readCoverageMap();
if (files.length === 0 || map === undefined) {
  const reason =
    map === undefined
      ? 'There is no coverage map. Run npm run coverage-map first.'
      : 'Usage: npm run tests-of -- src/FILE.ts …';
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
const tests = new Set(files.flatMap((file) => map.testsOfFile(file.replace(/\.ts$/, '.js'))));
for (const test of tests) process.stdout.write(`dist/test/${test}.test.js\n`);
