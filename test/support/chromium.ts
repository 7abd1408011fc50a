import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';

// `import` would first scan seven megabytes for export names, in each test process
export const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');

/** The headless shell first: the same engine with a third less processor time, as it draws no window. */
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

export function chromiumPath(): string | undefined {
  return [...installed, chromium.executablePath()].find((path) => path !== '' && existsSync(path));
}

export function launchChromium(executablePath: string, ...further: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // fewer processes and simpler drawing save a fifth of the processor time
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2',
      // pages of one context share a process, and no spare process is created
      '--renderer-process-limit=1',
      '--default-tile-width=1280',
      '--default-tile-height=800',
      // V8's helper threads cost a fifth of a page's processor time, and no core is idle
      '--js-flags=--single-threaded',
      ...further,
    ],
  });
}
