import type { Page } from 'playwright-core';

/** Of a page's frames, in which a size that was asked for has come; where it has not, it is asked for again. */
const FRAMES = 300;

/** Gives the window another size, and waits until the page is laid out for it: the browser does both in its own time. */
export async function resized(page: Page, width: number, height: number): Promise<void> {
  for (;;) {
    await page.setViewportSize({ width, height });
    const hasCome = await page.evaluate<boolean>(`new Promise((resolve) => {
      let frames = 0;
      const look = () => requestAnimationFrame(() => {
        if (innerWidth === ${width} && innerHeight === ${height}) requestAnimationFrame(() => resolve(true));
        else if (++frames < ${FRAMES}) look();
        else resolve(false);
      });
      look();
    })`);
    if (hasCome) return;
    // the same once more would not be sent
    await page.setViewportSize({ width, height: height + 1 });
  }
}
