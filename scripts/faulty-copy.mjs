// A copy of the project in which faults are put into the code. The working tree is never changed.
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
import { projectFolder } from './build.mjs';

const LONGEST_RUN_MILLISECONDS = 180_000;
const notCopied = new Set(['.git', 'node_modules']);

/** Runs tests on faulty code. The copy and all processes of its tests are removed when this process exits. */
export class FaultyCopy {
  #folder = mkdtempSync(join(tmpdir(), 'sallyport-mutants-'));
  #running = new Set();
  #reports = 0;

  constructor() {
    process.on('exit', () => {
      for (const child of this.#running) end(child);
      rmSync(this.#folder, { recursive: true, force: true });
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
    for (const name of readdirSync(projectFolder)) {
      if (notCopied.has(name)) continue;
      cpSync(join(projectFolder, name), join(this.#folder, name), {
        recursive: true,
        preserveTimestamps: true,
        filter: (from) => !notCopied.has(basename(from)),
      });
    }
    symlinkSync(join(projectFolder, 'node_modules'), join(this.#folder, 'node_modules'));
    // prevents an installation from the copy, which would change the project's node_modules
    utimesSync(join(this.#folder, 'package-lock.json'), 0, 0);
    const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: this.#folder, stdio: 'inherit' });
    if (status !== 0) throw new Error('the copy of the project could not be built');
  }

  get folder() {
    return this.#folder;
  }

  /** Makes programs load single files, because the bundle does not contain the fault. */
  removeBundle() {
    rmSync(join(this.#folder, 'dist', 'runtime'), { recursive: true, force: true });
  }

  /** Sources are not changed: tests that start the server would rebuild the copy. */
  async runTestsWith(compiled, contents, tests) {
    const file = join(this.#folder, 'dist', compiled);
    const sound = readFileSync(file);
    writeFileSync(file, contents);
    this.removeBundle();
    try {
      return await this.runTests(tests);
    } finally {
      writeFileSync(file, sound);
    }
  }

  /**
   * @param tests paths below test/, without .test.ts
   * @param variables additional environment variables
   * @returns titles of failed tests (none, or the first), skipped tests, and durations of the files
   */
  async runTests(tests, variables = {}) {
    this.#reports += 1;
    const reportFile = join(this.#folder, `report-${this.#reports}.json`);
    const files = tests.map((test) => join('dist', 'test', `${test}.test.js`));
    const reporter = join(this.#folder, 'scripts', 'reporter.mjs');
    // a failed test may leave a server open
    const options = ['--bail', '--exit', '--reporter', reporter];
    const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options, ...files], {
      cwd: this.#folder,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...variables, SALLYPORT_TEST_REPORT: reportFile },
    });
    this.#running.add(child);
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      end(child);
    }, LONGEST_RUN_MILLISECONDS);
    await once(child, 'exit');
    clearTimeout(timer);
    this.#running.delete(child);
    end(child);
    if (isOverdue) return { failures: ['the tests did not end'], skips: [], milliseconds: LONGEST_RUN_MILLISECONDS };
    try {
      const { failures, skips, durations } = JSON.parse(readFileSync(reportFile, 'utf8'));
      const milliseconds = Object.values(durations).reduce((sum, one) => sum + one, 0);
      return { failures: failures.map(({ title }) => title), skips, milliseconds };
    } catch {
      return { failures: ['the tests broke off'], skips: [], milliseconds: 0 };
    } finally {
      rmSync(reportFile, { force: true });
    }
  }
}

function end({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // the process group has exited
  }
}
