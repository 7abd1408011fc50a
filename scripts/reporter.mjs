// Mocha's spec reporter; also writes counts, skips, failures and slowest files to the file SALLYPORT_TEST_REPORT.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

const SHOWN_SLOWEST = 10;

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skips = [];
    const failures = [];
    const millisecondsOf = {};
    runner.on('fail', (test) => failures.push({ title: test.fullTitle(), file: test.file }));
    runner.on('pending', (test) => skips.push(test.fullTitle()));
    for (const end of ['test end', 'hook end']) {
      runner.on(end, ({ file, duration }) => {
        if (file) millisecondsOf[file] = (millisecondsOf[file] ?? 0) + (duration ?? 0);
      });
    }
    runner.on('end', () => {
      const file = process.env.SALLYPORT_TEST_REPORT;
      if (!file) return;
      const { passes, failures: failed } = this.stats;
      const longestFirst = Object.entries(millisecondsOf)
        .sort(([, one], [, other]) => other - one)
        .map(([path, milliseconds]) => ({ file: relative(process.cwd(), path), milliseconds }));
      const durations = Object.fromEntries(longestFirst.map(({ file: path, milliseconds }) => [path, milliseconds]));
      const slowest = longestFirst.slice(0, SHOWN_SLOWEST);
      writeFileSync(file, JSON.stringify({ passed: passes, failed, skips, failures, slowest, durations }));
    });
  }
}
