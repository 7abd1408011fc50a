import type { PortalWording } from '../words/portal-wording.js';
import { withQuery } from './portal-paths.js';
import type { PageVariables } from './portal-route.js';

export const PAGE_ENTRIES = 100;

/** A list whose pages lead to one another. */
export interface PagedList extends Readonly<Record<'name' | 'path' | 'parameter', string>> {
  readonly words: PortalWording;
  readonly others: Readonly<Record<string, string>>;
}

interface Paged<Entry> {
  readonly entries: readonly Entry[];
  readonly variables: PageVariables;
}

/**
 * One page of a list, and variables for links to the others: `$NAME-COUNT$`, and if there are several pages
 * `$NAME-PAGES$` (a sentence), `$NAME-PREVIOUS$` and `$NAME-NEXT$` (addresses).
 * @param parameter query parameter with the number of the page
 * @param others other parameters, which stay unchanged
 */
export function paged<Entry>(all: readonly Entry[], given: string, list: PagedList): Paged<Entry> {
  const page = pageNumber(given, all.length);
  return {
    entries: all.slice((page - 1) * PAGE_ENTRIES, page * PAGE_ENTRIES),
    variables: pageVariables(all.length, page, list),
  };
}

/** The requested page number, or the last page if the number is too high. */
export function pageNumber(given: string, count: number): number {
  const pages = pagesOf(count);
  return /^[1-9]\d{0,5}$/.test(given) ? Math.min(Number(given), pages) : 1;
}

export function pageVariables(
  count: number,
  page: number,
  { name, path, parameter, others, words }: PagedList,
): PageVariables {
  const pages = pagesOf(count);
  const to = (number: number) => [withQuery(path, { ...others, [parameter]: String(number) })];
  return {
    [`$${name}-COUNT$`]: [words.number(count)],
    [`$${name}-PAGES$`]:
      pages > 1 ? [words.text('pageOf', { page: words.number(page), pages: words.number(pages) })] : undefined,
    [`$${name}-PREVIOUS$`]: page > 1 ? to(page - 1) : undefined,
    [`$${name}-NEXT$`]: page < pages ? to(page + 1) : undefined,
  };
}

function pagesOf(count: number): number {
  return Math.max(1, Math.ceil(count / PAGE_ENTRIES));
}
