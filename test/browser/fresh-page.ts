import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Pages that nobody has used, in contexts of which nothing is left, by what these were made with. */
const waiting = new Map<string, Page[]>();

/** Of the contexts of pages that were given. */
const contexts = new WeakMap<BrowserContext, { readonly key: string; readonly origins: Set<string> }>();

/** A page of a browser that nobody has used: no cookies, nothing stored. */
export async function freshPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify(options);
  // those of a browser that has ended are closed
  for (;;) {
    const page = waiting.get(key)?.pop();
    if (page === undefined) break;
    if (!page.isClosed() && page.context().browser() === browser) return watched(page);
  }
  const context = await browser.newContext(options);
  contexts.set(context, { key, origins: new Set() });
  return watched(await context.newPage());
}

function watched(page: Page): Page {
  const origins = contexts.get(page.context())?.origins;
  page.on('framenavigated', (frame) => origins?.add(new URL(frame.url()).origin));
  return page;
}

/**
 * Ends a page with all that the user of its browser has. Another one waits in its place: in a context that has a page
 * already, Chromium opens the next one for half of the processor time.
 */
export async function leaveFresh(page: Page): Promise<void> {
  const context = page.context();
  const made = contexts.get(context);
  if (made === undefined || page.isClosed()) {
    await context.close();
    return;
  }
  const used = context.pages();
  const next = await context.newPage();
  for (const one of used) await one.close();
  const devtools = await context.newCDPSession(next);
  for (const origin of made.origins) {
    if (origin !== 'null') await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  }
  await devtools.detach();
  await context.clearCookies();
  made.origins.clear();
  waiting.set(made.key, [...(waiting.get(made.key) ?? []), next]);
}
