import type { BrowserSession } from '../../sessions/browser-session.js';
import type { RefusalMessage } from '../../terminal/protocol/server-message.js';

/** Pages of a session whose submits are remembered; the one unused longest is forgotten, and is a new page when it comes again. */
const MOST_PAGES = 8;

interface KnownPage {
  /** The last submit that was carried out. */
  submit: number;
  /** The number of its last key (`BrowserSession.answer`), or of the session's last key before the page was there. */
  key: number;
  /** Why the last submit was refused; undefined: it was not. */
  refusal: RefusalMessage | undefined;
}

/**
 * The pages of one session and the last submit of each that was carried out, so that none is carried out twice. Numbers of pages
 * are never given again.
 */
export class SocketPages {
  /** The page used last is the last one, and the last to be forgotten. */
  readonly #known = new Map<number, KnownPage>();
  #lastPage = 0;
  #usedLast = 0;

  /** @param key the number of the session's last key */
  begin(key: number): number {
    const page = ++this.#lastPage;
    this.#usedLast = page;
    this.#known.set(page, { submit: 0, key, refusal: undefined });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_PAGES) break;
      this.#known.delete(oldest);
    }
    return page;
  }

  find(page: number): Readonly<KnownPage> | undefined {
    return this.#known.get(page);
  }

  answered(page: number, submit: number): void {
    const known = this.#known.get(page);
    if (known === undefined) return;
    known.submit = submit;
    known.refusal = undefined;
    // only where the order changes: a map that loses an entry and gains one is garbage with each submit
    if (page === this.#usedLast) return;
    this.#known.delete(page);
    this.#known.set(page, known);
    this.#usedLast = page;
  }

  pressed(page: number, key: number): void {
    const known = this.#known.get(page);
    if (known !== undefined) known.key = key;
  }

  refused(page: number, refusal: RefusalMessage): void {
    const known = this.#known.get(page);
    if (known?.submit === refusal.i) known.refusal = refusal;
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
