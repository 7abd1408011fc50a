import type { Page } from 'playwright-core';

/** Gives the window another size, and waits until the page is laid out for it: the browser does both in its own time. */
export async function resized(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(`new Promise((resolve) => {
    const look = () => requestAnimationFrame(
      innerWidth === ${width} && innerHeight === ${height} ? () => requestAnimationFrame(resolve) : look,
    );
    look();
  })`);
}
