import type { BrowserSession } from '../../sessions/browser-session.js';
import { CODES_KEPT } from '../../sessions/session-registry.js';
import type { TemplateUses } from '../../templates/compiled-template.js';
import type { OfferedChoice } from '../../templates/page-declarations.js';

/** Facts about a session's last page that are needed to interpret its submit. */
export interface ShownPage {
  readonly uses: TemplateUses | undefined;
  readonly fieldNames: ReadonlyMap<string, number>;
  readonly offeredFields: readonly number[];
  /** Allowed values of lists and check boxes, by the address of their fields. */
  readonly offeredChoices: ReadonlyMap<number, OfferedChoice>;
  readonly revision: number;
  /** Page to return to; empty for the entry point's page. */
  readonly name: string;
}

const pages = new WeakMap<BrowserSession, ShownPage>();
const nothingOffered = { offeredFields: [], offeredChoices: new Map() } as const;
const noPage: ShownPage = { uses: undefined, fieldNames: new Map(), ...nothingOffered, revision: -1, name: '' };

export function shownPageOf(session: BrowserSession): ShownPage {
  return pages.get(session) ?? noPage;
}

let begun = 0;
const orders = new WeakMap<BrowserSession, number>();

/** Called when rendering starts. @returns order among all pages */
export function beginPage(): number {
  return ++begun;
}

/** Keeps the page that was started last, because rendering in turns may finish an older page later. */
export function rememberPage(session: BrowserSession, page: ShownPage, order: number): void {
  if (order < (orders.get(session) ?? 0)) return;
  orders.set(session, order);
  pages.set(session, page);
}

export function rememberRevision(session: BrowserSession, revision: number, name: string): void {
  rememberPage(session, { ...shownPageOf(session), ...nothingOffered, revision, name }, beginPage());
}

/** Revisions shown by pages with their own code (SESSION-CODE), newest last. */
const codes = new WeakMap<BrowserSession, Map<string, number>>();

export function rememberCode(session: BrowserSession, code: string, revision: number): void {
  const revisions = codes.get(session) ?? new Map<string, number>();
  codes.set(session, revisions.set(code, revision));
  for (const oldest of revisions.keys()) {
    if (revisions.size <= CODES_KEPT) break;
    revisions.delete(oldest);
  }
}

export function shownRevisionOf(session: BrowserSession, code: string): number {
  return codes.get(session)?.get(code) ?? shownPageOf(session).revision;
}
