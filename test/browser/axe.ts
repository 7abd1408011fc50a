import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { resized } from './resized.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Rules that look at colours: what else there is to a page was looked at in other colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds, in a few words each; by all rules where none are named. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe);
  // what blinks is looked at while it is shown: where a blink happens to be is no fault of its colours
  await page.evaluate(`for (const animation of document.getAnimations()) {
    if (animation.effect.getComputedTiming().iterations !== Infinity) continue;
    animation.pause();
    animation.currentTime = 0;
  }`);
  const options = rules.length === 0 ? '{}' : JSON.stringify({ runOnly: rules });
  const found = await page.evaluate<readonly Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
  );
}

/** Milliseconds for a test that goes through pages in all widths and colours: the work of four, each with its own limit. */
export const ALL_WIDTHS_LIMIT = 480_000;

/**
 * What axe finds by all rules at each width and, in dark colours, by those about colours; and how far the page is wider than
 * the window. The last width and light colours stay.
 */
export async function faultsAtAllWidths(page: Page, widths: readonly number[], height: number): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await resized(page, width, height);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const overhang = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      const faults = await violations(page, colorScheme === 'dark' ? colourRules : []);
      if (overhang > 0) faults.push(`${overhang} pixels wider than the window`);
      found.push(...faults.map((fault) => `${colorScheme}, ${width} pixels wide: ${fault}`));
    }
  }
  return found;
}
