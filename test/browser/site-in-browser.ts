import type { Browser } from 'playwright-core';
import { browserFor, leaveBrowser } from './shared-browser.js';

interface Stoppable {
  stop(): Promise<unknown>;
}

/** The shared browser and a site for it; both are there while tests run. */
interface SiteInBrowser<Site> {
  readonly browser: Browser;
  readonly site: Site;
}

/** Of a `describe`: starts a site before its tests, and stops it after them. Without a browser they are skipped. */
export function siteInBrowser<Site extends Stoppable>(start: () => Promise<Site>): SiteInBrowser<Site> {
  let browser: Browser | undefined;
  let site: Site | undefined;

  before(async function () {
    browser = await browserFor(this);
    site = await start();
  });

  after(async () => {
    await leaveBrowser();
    await site?.stop();
  });

  return {
    get browser() {
      return started(browser);
    },
    get site() {
      return started(site);
    },
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('no test runs');
  return part;
}
