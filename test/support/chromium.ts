import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';

// `import` would look through seven megabytes for names first, in each process that runs tests
export const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');

/** The shell first: the same engine, for two thirds of the processor time, as it draws no window around the page. */
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Path of a Chromium or Chrome of this machine, or of playwright's own; undefined where there is none. */
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
      // fewer processes to talk to each other, and a page drawn in one piece: a fifth of the processor time less
      '--in-process-gpu',
      '--enable-features=NetworkServiceInProcess2',
      // pages of one context share a process, and none is made in advance that nobody uses
      '--renderer-process-limit=1',
      '--default-tile-width=1280',
      '--default-tile-height=800',
      // compiling and collecting on further threads costs a fifth of a page's processor time, and no processor is idle
      '--js-flags=--single-threaded',
      ...further,
    ],
  });
}
