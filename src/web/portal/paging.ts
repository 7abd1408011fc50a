import { withQuery } from './portal-paths.js';
import type { PageVariables } from './portal-route.js';

const PAGE_ENTRIES = 100;

interface Paged<Entry> {
  readonly entries: readonly Entry[];
  readonly variables: PageVariables;
}

/**
 * One page of a list, and what its template is told to lead to the others: `$NAME-COUNT$`, and where there are several pages
 * `$NAME-PAGES$` (a sentence), `$NAME-PREVIOUS$` and `$NAME-NEXT$` (addresses).
 * @param parameter of the address, which says the number of the page
 * @param others parameters that stay as they are
 */
export function paged<Entry>(
  all: readonly Entry[],
  given: string,
  {
    name,
    path,
    parameter,
    others,
  }: Readonly<Record<'name' | 'path' | 'parameter', string>> & {
    readonly others: Readonly<Record<string, string>>;
  },
): Paged<Entry> {
  const pages = Math.max(1, Math.ceil(all.length / PAGE_ENTRIES));
  const page = /^[1-9]\d{0,5}$/.test(given) ? Math.min(Number(given), pages) : 1;
  const to = (number: number) => [withQuery(path, { ...others, [parameter]: String(number) })];
  return {
    entries: all.slice((page - 1) * PAGE_ENTRIES, page * PAGE_ENTRIES),
    variables: {
      [`$${name}-COUNT$`]: [String(all.length)],
      [`$${name}-PAGES$`]: pages > 1 ? [`Page ${page} of ${pages}`] : undefined,
      [`$${name}-PREVIOUS$`]: page > 1 ? to(page - 1) : undefined,
      [`$${name}-NEXT$`]: page < pages ? to(page + 1) : undefined,
    },
  };
}
