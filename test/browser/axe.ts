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

/** Rules that look at where things are and how large; the others see the same at each width where the same is shown. */
const layoutRules = [...colourRules, 'scrollable-region-focusable', 'target-size'];

/** Of a page that goes to many addresses, each of which axe looks at: it is there already. */
export function hasAxe(page: Page): Promise<unknown> {
  return page.addInitScript(axe);
}

/** What axe finds, in a few words each; by all rules where none are named. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe);
  // what blinks is looked at while it is shown: where a blink happens to be is no fault of its colours
  await page.evaluate(`for (const animation of document.getAnimations()) {
    if (animation.effect.getComputedTiming().iterations !== Infinity) continue;
    animation.pause();
    animation.currentTime = 0;
  }`);
  // of what passes nothing is wanted
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) });
  const found = await page.evaluate<readonly Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
  );
}

/** Milliseconds for a test that goes through pages in all widths and colours: the work of four, each with its own limit. */
export const ALL_WIDTHS_LIMIT = 480_000;

/** Which elements are shown: what a style sheet hides in a narrow window is different there. */
const SHOWN = `[...document.body.querySelectorAll('*')].map((element) => Number(element.checkVisibility())).join('')`;

/**
 * What axe finds at the first width by all rules, and in dark colours by those about colours; at the others by those about
 * colours and places, or by all where other elements are shown; and how far the page is wider than the window. The last
 * width and light colours stay.
 */
export async function faultsAtAllWidths(page: Page, widths: readonly number[], height: number): Promise<string[]> {
  const found: string[] = [];
  let shownBefore: string | undefined;
  for (const width of widths) {
    await resized(page, width, height);
    const look = async (colorScheme: 'dark' | 'light', rules: readonly string[]) => {
      await page.emulateMedia({ colorScheme });
      const faults = await violations(page, rules);
      found.push(...faults.map((fault) => `${colorScheme}, ${width} pixels wide: ${fault}`));
    };
    if (shownBefore === undefined) await look('dark', colourRules);
    const shown = await page.evaluate<string>(SHOWN);
    await look('light', shown === shownBefore ? layoutRules : []);
    found.push(...(await overhang(page)));
    shownBefore = shown;
  }
  return found;
}

/** The same of a page as it stands, whose kind another one has shown at all widths and in all colours. */
export async function faultsAsItStands(page: Page): Promise<string[]> {
  return [...(await violations(page)), ...(await overhang(page))];
}

async function overhang(page: Page): Promise<string[]> {
  const [width, pixels] = await page.evaluate<[number, number]>(
    '[innerWidth, document.documentElement.scrollWidth - innerWidth]',
  );
  return pixels > 0 ? [`${width} pixels wide: ${pixels} pixels wider than the window`] : [];
}
