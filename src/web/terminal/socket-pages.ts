import type { BrowserSession } from '../../session/browser-session.js';

/** Pages of a session whose submits are remembered; the one unused longest is forgotten, and is a new page when it comes again. */
const MOST_PAGES = 8;

/**
 * The pages of one session and the last submit of each that was carried out, so that none is carried out twice. Numbers of pages
 * are never given again.
 */
export class SocketPages {
  readonly #lastSubmits = new Map<number, number>();
  #lastPage = 0;
  /** The last of `#lastSubmits`: the page used last is the last to be forgotten. */
  #usedLast = 0;

  begin(): number {
    const page = ++this.#lastPage;
    this.#usedLast = page;
    this.#lastSubmits.set(page, 0);
    for (const oldest of this.#lastSubmits.keys()) {
      if (this.#lastSubmits.size <= MOST_PAGES) break;
      this.#lastSubmits.delete(oldest);
    }
    return page;
  }

  has(page: number): boolean {
    return this.#lastSubmits.has(page);
  }

  last(page: number): number {
    return this.#lastSubmits.get(page) ?? Number.POSITIVE_INFINITY;
  }

  answered(page: number, number: number): void {
    if (!this.has(page)) return;
    // only where the order changes: a map that loses an entry and gains one is garbage with each submit
    if (page !== this.#usedLast) this.#lastSubmits.delete(page);
    this.#lastSubmits.set(page, number);
    this.#usedLast = page;
  }
}

const pages = new WeakMap<BrowserSession, SocketPages>();

export function socketPagesOf(session: BrowserSession): SocketPages {
  let found = pages.get(session);
  if (found === undefined) {
    found = new SocketPages();
    pages.set(session, found);
  }
  return found;
}
