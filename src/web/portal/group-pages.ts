import { foldedName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import { paged } from './paging.js';
import { groupPath, macroPath, redirectTo, withQuery } from './portal-paths.js';
import { confirmation, type PortalOutcome, type PortalRequest } from './portal-route.js';

const MOST_NAMED_MEMBERS = 10;

export async function groupListPage(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, macros, query, typed, words } = request;
  const search = query('search').trim();
  const groups = (await portal.users.groups()).filter((name) => foldedName(name).includes(foldedName(search)));
  const { entries, variables } = paged(groups, query('page'), {
    name: 'GROUP',
    path: '/groups',
    parameter: 'page',
    others: { search },
    words,
  });
  const counts = await portal.users.memberCounts();
  return {
    kind: 'page',
    page: 'GROUPS.HTML',
    variables: {
      ...variables,
      $SEARCH$: search === '' ? undefined : [search],
      '$HAS-DIRECTORY-SERVER$': portal.hasDirectoryServer ? ['yes'] : undefined,
      '$HAS-MACROS$': macros.isConfigured ? ['yes'] : undefined,
      $GROUP$: entries,
      '$GROUP-MEMBERS$': entries.map((name) => words.counted('user', counts.get(name) ?? 0)),
      '$GROUP-USERS-PATH$': entries.map((name) => withQuery('/users', { group: name })),
      '$GROUP-MACRO-PATH$': entries.map((name) => macroPath({ level: 'group', name })),
      '$GROUP-MACROS-LABEL$': entries.map((name) => words.text('MACROS-TITLE', { holder: name })),
      '$GROUP-REMOVE-LABEL$': entries.map((name) => words.text('group.removeButton', { name })),
      '$GROUP-REMOVE-PATH$': entries.map((name) => `${groupPath(name)}/remove`),
      '$GROUP-TYPED$': [typed('GROUP') ?? ''],
    },
  };
}

export async function addGroup(request: PortalRequest): Promise<PortalOutcome> {
  const name = request.field('GROUP').trim();
  await request.portal.administration.addGroup(request.actor, name);
  return redirectTo('/groups', 'group-added');
}

export async function groupRemovalPage(request: PortalRequest): Promise<PortalOutcome> {
  const name = await existingGroup(request);
  const { macros, portal, words } = request;
  const members = await portal.users.recordPage({ search: '', group: name, from: 0, most: MOST_NAMED_MEMBERS });
  const names = words.names(
    members.records.map((user) => user.name),
    MOST_NAMED_MEMBERS,
    members.count,
  );
  const directory = { level: 'group', name } as const;
  const stored = macros.isConfigured ? await macros.store.read(directory) : undefined;
  const path = groupPath(name);
  return confirmation({
    title: words.text('group.remove', { name }),
    facts: [
      members.count === 0 ? words.text('group.empty') : words.counted('group.members', members.count, { names }),
      ...(stored === undefined ? [] : [words.text('group.macrosStay', { path: macroPath(directory) })]),
    ],
    action: `${path}/remove`,
    button: members.count === 0 ? words.text('group.removeButton', { name }) : undefined,
    back: '/groups',
  });
}

export async function removeGroup(request: PortalRequest): Promise<PortalOutcome> {
  const name = await existingGroup(request);
  await request.portal.administration.removeGroup(request.actor, name);
  return redirectTo('/groups', 'group-removed');
}

async function existingGroup({ portal, segment }: PortalRequest): Promise<string> {
  const name = await portal.users.findGroup(segment('name'));
  if (name !== undefined) return name;
  const values = { name: segment('name').slice(0, 70) };
  throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN', { detail: { code: 'group.unknown', values } });
}
