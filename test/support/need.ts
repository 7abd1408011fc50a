import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';

/** Skips the running test if a required external program is missing. With CI=true that is a failure. */
export function need(test: Context, present: boolean, reason: string): void {
  if (present) return;
  if (process.env.CI === 'true') throw new Error(`CI must not skip: ${reason}`);
  const runnable = test.test;
  if (runnable) runnable.title += ` [skipped: ${reason}]`;
  test.skip();
}

const installed = new Map<string, boolean>();

export function needCommand(test: Context, command: string): void {
  const isInstalled =
    installed.get(command) ?? spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
  installed.set(command, isInstalled);
  need(test, isInstalled, `${command} is not installed`);
}

/** Skips the running test if something is missing that some systems do not have, even with CI=true. */
export function skipUnless(test: Context, present: boolean, reason: string): void {
  if (present) return;
  const runnable = test.test;
  if (runnable) runnable.title += ` [optional: ${reason}]`;
  test.skip();
}
