import type { Context } from 'mocha';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium } from '../support/chromium.js';
import { need } from '../support/need.js';

/** A name that is no loopback address to the browser: over http it is no secure context, and has no WebCrypto. */
export const HOST_NAME = 'host.test';

let shared: Promise<Browser> | undefined;

/** One browser for all files of tests that this process runs; skips them where there is none. */
export async function browserFor(test: Context): Promise<Browser> {
  const executablePath = chromiumPath() ?? '';
  need(test, executablePath !== '', 'no Chromium is installed');
  shared ??= launchChromium(executablePath, `--host-resolver-rules=MAP ${HOST_NAME} 127.0.0.1`);
  return shared;
}

/**
 * At the end of a file: nothing of it is left, and the next has the same browser. Mocha's workers are ended with their
 * last file, and their browser with them; a process without workers ends when nothing is open any more.
 */
export async function leaveBrowser(): Promise<void> {
  const browser = await shared;
  for (const context of browser?.contexts() ?? []) await context.close();
  if (process.env.MOCHA_WORKER_ID !== undefined) return;
  shared = undefined;
  await browser?.close();
}
