// Mocha's spec reporter, and the counts, skips and failures written to the file that SALLYPORT_TEST_REPORT names.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skips = [];
    const failures = [];
    runner.on('fail', (test) => failures.push(test.fullTitle()));
    runner.on('pending', (test) => skips.push(test.fullTitle()));
    runner.on('end', () => {
      const file = process.env.SALLYPORT_TEST_REPORT;
      if (!file) return;
      const { passes, failures: failed } = this.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed, skips, failures }));
    });
  }
}
