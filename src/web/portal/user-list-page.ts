import type { UserRecord } from '../../access/users/editable-user-store.js';
import { foldedName } from '../../access/users/security-name.js';
import type { SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { PortalWording } from '../words/portal-wording.js';
import { PAGE_ENTRIES, type PagedList, paged, pageNumber, pageVariables } from './paging.js';
import { userPath } from './portal-paths.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';

interface ListedUser extends SecurityUser {
  /** Undefined for a user of the directory server. */
  readonly record: UserRecord | undefined;
}

export async function userListPage(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, query, words } = request;
  const search = query('search').trim();
  const group = query('group');
  const list = { name: 'USER', path: '/users', parameter: 'page', others: { search, group }, words };
  const { entries, variables, isPart } = portal.hasDirectoryServer
    ? await withDirectoryServer(request, list)
    : { ...(await ofStore(request, list)), isPart: false };
  return {
    kind: 'page',
    page: 'USERS.HTML',
    variables: {
      ...variables,
      $SEARCH$: search === '' ? undefined : [search],
      $GROUP$: group === '' ? undefined : [group],
      '$HAS-DIRECTORY-SERVER$': portal.hasDirectoryServer ? ['yes'] : undefined,
      '$IS-PART$': isPart ? ['yes'] : undefined,
      $USER$: entries.map(({ name }) => name),
      '$USER-PATH$': entries.map(({ name }) => userPath(name)),
      '$USER-ROLE$': entries.map(({ role }) => words.text(`role.${role}`)),
      '$USER-GROUPS$': entries.map(({ groups }) => groups.join(', ') || '–'),
      '$USER-STATE$': entries.map(({ record }) =>
        record === undefined ? words.text('users.directoryServer') : stateText(record, words),
      ),
    },
  };
}

interface ListedPage {
  readonly entries: readonly ListedUser[];
  readonly variables: PageVariables;
}

/** The store creates only the records that the page shows. */
async function ofStore({ portal, query }: PortalRequest, list: PagedList): Promise<ListedPage> {
  const { search = '', group = '' } = list.others;
  const pageOf = (page: number) =>
    portal.users.recordPage({ search, group, from: (page - 1) * PAGE_ENTRIES, most: PAGE_ENTRIES });
  const wanted = pageNumber(query('page'), Number.MAX_SAFE_INTEGER);
  let found = await pageOf(wanted);
  const page = pageNumber(query('page'), found.count);
  if (page !== wanted) found = await pageOf(page);
  return {
    entries: found.records.map((record) => ({ ...record, record })),
    variables: pageVariables(found.count, page, list),
  };
}

async function withDirectoryServer(
  request: PortalRequest,
  list: PagedList,
): Promise<ListedPage & { readonly isPart: boolean }> {
  const { search = '', group = '' } = list.others;
  const { users, isPart } = await listedUsers(request);
  const found = users.filter(
    ({ name, groups }) =>
      foldedName(name).includes(foldedName(search)) &&
      (group === '' || groups.some((its) => foldedName(its) === foldedName(group))),
  );
  return { ...paged(found, request.query('page'), list), isPart };
}

/** All users, or only those of the file if the directory server is not available. */
async function listedUsers({ site, portal }: PortalRequest): Promise<{ users: ListedUser[]; isPart: boolean }> {
  const records = await portal.users.records();
  const ofFile = records.map((record) => ({ ...record, record }));
  if (!portal.hasDirectoryServer || site.security === undefined) return { users: ofFile, isPart: false };
  try {
    const known = new Map(records.map((record) => [foldedName(record.name), record]));
    const all = await site.security.database.users();
    return { users: all.map((user) => ({ ...user, record: known.get(foldedName(user.name)) })), isPart: false };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { users: ofFile, isPart: true };
  }
}

/** The reason why a user cannot sign on, or the last day of the user. */
export function stateText({ locked, isExpired, hasPassword, expires }: UserRecord, words: PortalWording): string {
  const reasons = [
    ...(locked === undefined ? [] : [words.text('users.lockedSince', { time: words.instant(locked) })]),
    ...(expires === undefined
      ? []
      : [words.text(isExpired ? 'users.expired' : 'users.until', { day: words.day(expires) })]),
    ...(hasPassword ? [] : [words.text('users.noPassword')]),
  ];
  return reasons.length === 0 ? words.text('users.active') : reasons.join(', ');
}
