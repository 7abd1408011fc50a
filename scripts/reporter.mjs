// Mocha's spec reporter, and the counts, skips and times of files written to the file that SALLYPORT_TEST_REPORT names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skips = [];
    const millisecondsOf = {};
    runner.on('pending', (test) => skips.push(test.fullTitle()));
    runner.on('test end', ({ file, duration }) => {
      if (file) millisecondsOf[file] = (millisecondsOf[file] ?? 0) + (duration ?? 0);
    });
    runner.on('end', () => {
      const file = process.env.SALLYPORT_TEST_REPORT;
      if (!file) return;
      const { passes, failures } = this.stats;
      const slowest = Object.entries(millisecondsOf)
        .sort(([, one], [, other]) => other - one)
        .slice(0, 10)
        .map(([path, milliseconds]) => ({ file: relative(process.cwd(), path), milliseconds }));
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skips, slowest }));
    });
  }
}
