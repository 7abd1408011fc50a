import { releaseEarlyStrokes } from './early-strokes.js';
import { keepText, keptText } from './kept-text.js';

/** WebSockets do not get through here: the pages of this tab are forms. */
const PLAIN_KEY = 'sallyport-plain';

/** The reload that made the pages forms has discarded keystrokes. The keystrokes themselves are never stored. */
const DISCARDED_KEY = 'sallyport-keys-discarded';

/** Pages of sessions whose values are kept, the newest last: one tab of a browser has them all, also those in its frames. */
const MOST_PAGES = 16;

type Kept = readonly (readonly [path: string, value: unknown])[];

export function isTabPlain(): boolean {
  return textInTab(PLAIN_KEY) !== null;
}

/** Loads the page again, as a form. @returns false where it would not know that it is one */
export function reloadPlain(): boolean {
  if (!keepInTab(PLAIN_KEY, '1')) return false;
  releaseEarlyStrokes({ discarded: () => keepInTab(DISCARDED_KEY, '1') });
  location.reload();
  return true;
}

/** Whether a reload has discarded keystrokes; true once. */
export function wereKeysDiscarded(): boolean {
  const were = textInTab(DISCARDED_KEY) === '1';
  if (were) keepInTab(DISCARDED_KEY, '');
  return were;
}

/** What this tab of the browser has under a key. */
export function textInTab(key: string): string | null {
  return keptText('sessionStorage', key);
}

/** @returns false where the browser has no room for it, or does not allow it */
export function keepInTab(key: string, text: string): boolean {
  return keepText('sessionStorage', key, text);
}

/** What a page of a session has kept in this tab of the browser for the time after a reload. */
export function ofPage(what: string, path: string): unknown {
  return kept(what).find(([of]) => of === path)?.[1];
}

export function keepOfPage(what: string, path: string, value: unknown): void {
  store(what, [...others(what, path), [path, value] as const].slice(-MOST_PAGES));
}

export function forgetOfPage(what: string, path: string): void {
  store(what, others(what, path));
}

function others(what: string, path: string): Kept {
  return kept(what).filter(([of]) => of !== path);
}

function kept(what: string): Kept {
  try {
    const list: unknown = JSON.parse(textInTab(keyOf(what)) ?? '[]');
    return Array.isArray(list) ? list.filter((entry): entry is [string, unknown] => Array.isArray(entry)) : [];
  } catch {
    // somebody else's
    return [];
  }
}

function store(what: string, list: Kept): void {
  keepInTab(keyOf(what), JSON.stringify(list));
}

function keyOf(what: string): string {
  return `sallyport-${what}`;
}
