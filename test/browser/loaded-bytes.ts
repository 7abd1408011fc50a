import type { Browser } from 'playwright-core';

interface LoadedBytes {
  /** Of all that the page loads before its network is idle: with headers, as it travels. */
  readonly all: number;
  readonly scripts: number;
  readonly byFile: ReadonlyMap<string, number>;
  /** Milliseconds until the first contentful paint. */
  readonly firstPaint: number;
}

/** Opens the terminal for the first time, as somebody who has none of its files yet. */
export async function loadedBytes(browser: Browser, address: string, encoding: 'gzip' | 'br'): Promise<LoadedBytes> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.setExtraHTTPHeaders({ 'Accept-Encoding': encoding });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const requests = new Map<string, { readonly name: string; readonly type: string }>();
  const byFile = new Map<string, number>();
  let [all, scripts] = [0, 0];
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    requests.set(requestId, { name: new URL(response.url).pathname.split('/').at(-1) ?? '', type }),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { name, type } = requests.get(requestId) ?? { name: requestId, type: '' };
    byFile.set(name, (byFile.get(name) ?? 0) + encodedDataLength);
    all += encodedDataLength;
    if (type === 'Script') scripts += encodedDataLength;
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.locator('#screen .row').first().waitFor();
  const firstPaint = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
  );
  await context.close();
  return { all, scripts, byFile, firstPaint };
}
