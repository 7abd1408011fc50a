import type { BrowserSession } from '../../session/browser-session.js';
import type { TemplateUses } from '../../template/compiled-template.js';
import type { OfferedChoice } from '../../template/page-declarations.js';

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
