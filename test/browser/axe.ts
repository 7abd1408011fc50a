import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Rules that look at colours: what else there is to a page was looked at in other colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds, in a few words each; by all rules where none are named. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe);
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
