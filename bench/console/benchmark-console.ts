import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { PortalPage } from '../../test/browser/portal-page.js';
import { chromiumPath, launchChromium } from '../../test/support/chromium.js';
import { eventually } from '../../test/support/eventually.js';
import { ADMINISTRATOR, startPortalSite } from '../../test/support/portal-site.js';
import { MEASURING, percentile } from '../terminal/measured-page.js';

const USAGE = `Usage: npm run bench:console -- [--sessions N] [--loads N] [--keys N]
  --sessions  live sessions with the simulated host (default 1000)
  --loads     times that the list is loaded (default 10)
  --keys      keys typed into the search (default 60)
`;

/** Runs in the page before its own scripts: records when the list is received, shown and painted. */
const LISTING = `{
  const Source = EventSource;
  window.EventSource = class extends Source {
    addEventListener(name, listener) {
      super.addEventListener(name, name !== 'sessions' ? listener : (event) => {
        const told = performance.now();
        listener(event);
        const shown = performance.now();
        if (window.listing !== undefined) return;
        painted((at) => { window.listing = { told, shown, painted: at }; });
      });
    }
  };
}`;

interface Listing {
  readonly told: number;
  readonly shown: number;
  readonly painted: number;
}

export async function benchmarkConsole(argv: readonly string[]): Promise<number> {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: { help: { type: 'boolean' }, sessions: number, loads: number, keys: number },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const count = (text: string | undefined, usual: number) => Math.max(1, Number.parseInt(text ?? '', 10) || usual);
  const executable = chromiumPath();
  if (executable === undefined) throw new Error('there is no Chromium on this machine');
  const sessions = count(values.sessions, 1_000);
  const site = await startPortalSite({
    crypts: '',
    sessions: `keysReady: 0, limit: ${sessions + 100}`,
    clientLine: `limits: { sessions: ${sessions + 100}, sessionsPerAddress: ${sessions + 100}, sessionStartsPerAddress: 100000 }`,
    transactions: '      CLEAR: { applicationType: 1, application: SIM, page: TERMINAL.HTML }',
  });
  const browser = await launchChromium(executable);
  try {
    for (let at = 0; at < sessions; at++) {
      const response = await fetch(`${site.clientUrl}/TERMINAL.HTML+CLEAR`, {
        headers: { Accept: 'application/json' },
      });
      await response.text();
      if (response.status !== 200) throw new Error(`session ${at}: ${response.status}`);
    }
    const portal = await PortalPage.signedOn(browser, site, ADMINISTRATOR, { viewport: { width: 1440, height: 900 } });
    const { page } = portal;
    await page.addInitScript(MEASURING);
    await page.addInitScript(LISTING);
    print(`Chromium ${browser.version()}, Node ${process.version}, ${sessions} live sessions`);
    const listings: Listing[] = [];
    for (let load = 0; load < count(values.loads, 10); load++) {
      await portal.go('/sessions');
      listings.push(await eventually(() => page.evaluate('window.listing') as Promise<Listing | undefined>));
    }
    print(`from the address to all of them told: ${spread(listings.map(({ told }) => told))}`);
    print(`from told to shown: ${spread(listings.map((one) => one.shown - one.told))}`);
    print(`from the address to painted: ${spread(listings.map(({ painted }) => painted))}`);
    const keys = await searching(page, count(values.keys, 60));
    print(`key of the search to paint: ${spread(keys)}`);
    return 0;
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function searching(page: Page, count: number): Promise<readonly number[]> {
  const text = 'clear sim0001';
  await page.locator('#session-search input').focus();
  for (let at = 0; at < count; at++) {
    if (at % text.length === 0) await page.locator('#session-search input').fill('');
    await page.keyboard.press(text[at % text.length] ?? 'c', { delay: 30 });
  }
  await page.waitForTimeout(500);
  return (await page.evaluate('window.measured.keys')) as readonly number[];
}

function spread(values: readonly number[]): string {
  const of = (share: number) => `${percentile(values, share).toFixed(1)} ms`;
  return `p50 ${of(0.5)}, p95 ${of(0.95)}, longest ${of(1)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
