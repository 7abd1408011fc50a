import { type LiveSession, type SessionReport, sessionReport } from '../../operation/live-session.js';
import type { PortalWording } from '../words/portal-wording.js';
import { paged } from './paging.js';
import { sessionPath, withQuery } from './portal-paths.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';

const LIST = '/sessions';

type SortKey = 'user' | 'transaction' | 'host' | 'unit' | 'line' | 'address' | 'began' | 'idle';
type SortValue = string | number;

const sortValues: Readonly<Record<SortKey, (session: LiveSession) => SortValue>> = {
  user: ({ user }) => user.toLowerCase(),
  transaction: ({ transaction }) => transaction.toLowerCase(),
  host: ({ host }) => host.toLowerCase(),
  unit: ({ logicalUnit = '' }) => logicalUnit,
  line: ({ line }) => line.toLowerCase(),
  address: ({ address }) => address,
  began: ({ began }) => began,
  idle: ({ lastUsed }) => -lastUsed,
};
const sortKeys = Object.keys(sortValues) as SortKey[];

/** The current sessions: the whole list without script, and the initial list for the script of the page. */
export async function sessionListPage({ portal, query, words }: PortalRequest): Promise<PortalOutcome> {
  await portal.sessions.refresh();
  const search = query('search').trim().slice(0, 100);
  const sort = sortKeys.find((key) => key === query('sort')) ?? 'began';
  // default order: newest first
  const isDescending = query('order') === '' ? sort === 'began' : query('order') === 'descending';
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = portal.sessions
    .list()
    .filter((session) => parts.every((part) => searchedText(session, words).includes(part)));
  const sorted = found.sort(comparison(sortValues[sort], isDescending));
  const { entries, variables } = paged(sorted, query('page'), {
    name: 'SESSION',
    path: LIST,
    parameter: 'page',
    others: { search, sort: query('sort'), order: query('order') },
    words,
  });
  return {
    kind: 'page',
    page: 'LIVE-SESSIONS.HTML',
    variables: {
      ...variables,
      ...headVariables(sort, isDescending, search),
      ...rowVariables(entries.map(sessionReport), words),
      $SEARCH$: search === '' ? undefined : [search],
    },
  };
}

/** Links of the column heads: each sorts by its column, or reverses the order if the list is sorted by it. */
function headVariables(sort: SortKey, isDescending: boolean, search: string): PageVariables {
  return Object.fromEntries(
    sortKeys.flatMap((key) => {
      const order = key === sort && !isDescending ? 'descending' : 'ascending';
      const sorted = isDescending ? 'descending' : 'ascending';
      return [
        [`$SORT-${key.toUpperCase()}$`, [withQuery(LIST, { search, sort: key, order })]],
        [`$SORTED-${key.toUpperCase()}$`, key === sort ? [sorted] : undefined],
      ];
    }),
  );
}

function rowVariables(sessions: readonly SessionReport[], words: PortalWording): PageVariables {
  return {
    $SESSION$: sessions.map(({ user }) => user || words.text('nobodySignedOn')),
    '$SESSION-PATH$': sessions.map(({ id }) => sessionPath(id)),
    '$SESSION-KIND$': sessions.map((session) => remark(session, words)),
    '$SESSION-TRANSACTION$': sessions.map(({ transaction }) => transaction),
    '$SESSION-HOST$': sessions.map(({ host }) => host),
    '$SESSION-UNIT$': sessions.map(({ logicalUnit = '–' }) => logicalUnit),
    '$SESSION-LINE$': sessions.map(({ line }) => line || '–'),
    '$SESSION-ADDRESS$': sessions.map(({ address }) => address || '–'),
    '$SESSION-BEGAN$': sessions.map(({ began }) => words.instant(began)),
    '$SESSION-IDLE$': sessions.map(({ idleSeconds }) => words.duration(idleSeconds * 1_000)),
  };
}

/** What is not as with most of them. */
function remark(
  /** Unusual facts about a session. */
  { kind, state, name, node, watchedBy, tracedBy }: LiveSession | SessionReport,
  words: PortalWording,
): string {
  const remarks = [
    name,
    node && words.text('session.onServer', { name: node }),
    kind === 'browser' ? '' : words.text(`session.${kind}`),
    state === 'connected' ? '' : words.text(`session.${state}`),
    watchedBy.length === 0 ? '' : words.text('session.watchedBy', { names: watchedBy.join(', ') }),
    tracedBy.length === 0 ? '' : words.text('session.tracedBy', { names: tracedBy.join(', ') }),
  ];
  return remarks.filter(Boolean).join(', ');
}

/** The text that the search looks in. */
function searchedText(session: LiveSession, words: PortalWording): string {
  const { id, user, transaction, host, logicalUnit = '', line, address } = session;
  return [id, user, transaction, host, logicalUnit, line, address, remark(session, words)].join(' ').toLowerCase();
}

function comparison(sortValue: (session: LiveSession) => SortValue, isDescending: boolean) {
  return (one: LiveSession, other: LiveSession): number => {
    const [left, right] = [sortValue(one), sortValue(other)];
    const order = left < right ? -1 : left > right ? 1 : one.id < other.id ? -1 : 1;
    return isDescending ? -order : order;
  };
}
