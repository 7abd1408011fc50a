import type { BrowserSession } from '../../sessions/browser-session.js';
import { CODES_KEPT } from '../../sessions/session-registry.js';
import type { TemplateUses } from '../../templates/compiled-template.js';
import type { OfferedChoice } from '../../templates/page-declarations.js';

/** What a session's last page has told its client, and therefore what a submit of that page means. */
export interface ShownPage {
  readonly uses: TemplateUses | undefined;
  /** Names that the page gave to fields of the host. */
  readonly fieldNames: ReadonlyMap<string, number>;
  readonly offeredFields: readonly number[];
  /** What may come back of lists and check boxes, by the first character of their fields. */
  readonly offeredChoices: ReadonlyMap<number, OfferedChoice>;
  /** Of the screen that it shows. */
  readonly revision: number;
  /** Of the page that leads back to the session; empty: that of the entry point. */
  readonly name: string;
}

const pages = new WeakMap<BrowserSession, ShownPage>();
const nothingOffered = { offeredFields: [], offeredChoices: new Map() } as const;
const noPage: ShownPage = { uses: undefined, fieldNames: new Map(), ...nothingOffered, revision: -1, name: '' };

export function shownPageOf(session: BrowserSession): ShownPage {
  return pages.get(session) ?? noPage;
}

let begun = 0;
/** Of the remembered page. */
const orders = new WeakMap<BrowserSession, number>();

/** Called where the rendering of a page begins. @returns its place among all pages */
export function beginPage(): number {
  return ++begun;
}

/** Rendered in turns, a page may be complete after one that was begun later: then that one stays. */
export function rememberPage(session: BrowserSession, page: ShownPage, order: number): void {
  if (order < (orders.get(session) ?? 0)) return;
  orders.set(session, order);
  pages.set(session, page);
}

/** The screen was shown in another way than by a page. */
export function rememberRevision(session: BrowserSession, revision: number, name: string): void {
  rememberPage(session, { ...shownPageOf(session), ...nothingOffered, revision, name }, beginPage());
}

/** Revisions that pages with a code of their own (SESSION-CODE) show, the newest last. */
const codes = new WeakMap<BrowserSession, Map<string, number>>();

export function rememberCode(session: BrowserSession, code: string, revision: number): void {
  const revisions = codes.get(session) ?? new Map<string, number>();
  codes.set(session, revisions.set(code, revision));
  for (const oldest of revisions.keys()) {
    if (revisions.size <= CODES_KEPT) break;
    revisions.delete(oldest);
  }
}

/** The revision that the page with this code shows; without a code of its own, that of the session's last page. */
export function shownRevisionOf(session: BrowserSession, code: string): number {
  return codes.get(session)?.get(code) ?? shownPageOf(session).revision;
}
