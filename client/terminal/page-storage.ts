import { releaseEarlyStrokes } from './early-strokes.js';
import { keepText, keptText } from './kept-text.js';

/** Marks that WebSockets are blocked here: the pages of this tab are forms. */
const PLAIN_KEY = 'sallyport-plain';

/** The reload that made the pages forms has discarded keystrokes. The keystrokes themselves are never stored. */
const DISCARDED_KEY = 'sallyport-keys-discarded';

/** Number of session pages whose values are kept, newest last. The pages in frames share the storage of their tab. */
const MOST_PAGES = 16;

type Kept = readonly (readonly [path: string, value: unknown])[];

export function isTabPlain(): boolean {
  return textInTab(PLAIN_KEY) !== null;
}

/** Reloads the page as a form. @returns false if the reload could not store that it is a form */
export function reloadPlain(): boolean {
  if (!keepInTab(PLAIN_KEY, '1')) return false;
  releaseEarlyStrokes({ discarded: () => keepInTab(DISCARDED_KEY, '1') });
  location.reload();
  return true;
}

/** True if a reload has discarded keystrokes; returned only once. */
export function wereKeysDiscarded(): boolean {
  const were = textInTab(DISCARDED_KEY) === '1';
  if (were) keepInTab(DISCARDED_KEY, '');
  return were;
}

export function textInTab(key: string): string | null {
  return keptText('sessionStorage', key);
}

export function keepInTab(key: string, text: string): boolean {
  return keepText('sessionStorage', key, text);
}

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
    // invalid data
    return [];
  }
}

function store(what: string, list: Kept): void {
  keepInTab(keyOf(what), JSON.stringify(list));
}

function keyOf(what: string): string {
  return `sallyport-${what}`;
}
