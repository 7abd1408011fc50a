/** WebSockets do not get through here: the pages of this tab are forms. */
export const PLAIN_KEY = 'sallyport-plain';

/** Pages of sessions whose values are kept, the newest last: one tab of a browser has them all, also those in its frames. */
const MOST_PAGES = 16;

type Kept = readonly (readonly [path: string, value: unknown])[];

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
    const list: unknown = JSON.parse(sessionStorage.getItem(keyOf(what)) ?? '[]');
    return Array.isArray(list) ? list.filter((entry): entry is [string, unknown] => Array.isArray(entry)) : [];
  } catch {
    // somebody else's
    return [];
  }
}

function store(what: string, list: Kept): void {
  if (list.length === 0) sessionStorage.removeItem(keyOf(what));
  else sessionStorage.setItem(keyOf(what), JSON.stringify(list));
}

function keyOf(what: string): string {
  return `sallyport-${what}`;
}
