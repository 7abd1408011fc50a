import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';

/**
 * Skips the running test, with a reason, where a real part it stands on is missing. With CI=true the skip is a failure:
 * a machine that judges must have everything.
 */
export function need(test: Context, present: boolean, reason: string): void {
  if (present) return;
  if (process.env.CI === 'true') throw new Error(`CI must not skip: ${reason}`);
  const runnable = test.test;
  if (runnable) runnable.title += ` [skipped: ${reason}]`;
  test.skip();
}

const installed = new Map<string, boolean>();

/** Skips the running test where a command is not installed. */
export function needCommand(test: Context, command: string): void {
  const isInstalled =
    installed.get(command) ?? spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
  installed.set(command, isInstalled);
  need(test, isInstalled, `${command} is not installed`);
}

/**
 * Skips the running test, with a reason, where something is missing that not every machine can have: what lies beside the
 * project, or a package that some systems lack. No failure with CI=true either.
 */
export function skipUnless(test: Context, present: boolean, reason: string): void {
  if (present) return;
  const runnable = test.test;
  if (runnable) runnable.title += ` [optional: ${reason}]`;
  test.skip();
}
