import type { RefusalMessage } from '../../terminal/protocol/server-message.js';

/**
 * Pages of a session whose submits are remembered. The least recently used page is dropped and returns as a new page.
 */
const MOST_PAGES = 8;

interface KnownPage {
  submit: number;
  /**
   * Number of the page's last key (`BrowserSession.answer`), or of the session's last key before the page connected.
   */
  key: number;
  refusal: RefusalMessage | undefined;
}

/**
 * The pages of one session with the last applied submit of each, so that no submit is applied twice. Page numbers are
 * never reused.
 */
export class SocketPages {
  readonly #known = new Map<number, KnownPage>();
  #lastPage = 0;
  #usedLast = 0;

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
    // only if the order changes: deleting and adding a map entry for each submit causes garbage
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
