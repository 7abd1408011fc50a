import { type Role, roles, type SecurityUser } from '../../access/users/security-database.js';
import { foldedName } from '../../access/users/security-name.js';
import type { UserRecord } from '../../access/users/user-record.js';
import { ServiceError } from '../../lib/errors.js';
import { confirmation } from './confirmation.js';
import { macroPath, userPath } from './portal-paths.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';
import { stateText } from './user-list-page.js';
import { instantText, namesText } from './wording.js';

const MOST_NAMED_GROUPS = 30;

/** A user, and the forms that change them. */
export async function userPage(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, segment, site } = request;
  const record = await portal.users.findRecord(segment('name'));
  if (record === undefined && portal.hasDirectoryServer) {
    const foreign = await site.security?.database.findUser(segment('name'));
    if (foreign !== undefined) {
      return {
        kind: 'page',
        page: 'USER.HTML',
        variables: { ...factVariables(request, foreign), $FOREIGN$: ['yes'] },
      };
    }
  }
  if (record === undefined) throw unknownUser(segment('name'));
  return {
    kind: 'page',
    page: 'USER.HTML',
    variables: {
      ...factVariables(request, record),
      $PATH$: [userPath(record.name)],
      $STATE$: [stateText(record)],
      $LOCKED$: record.locked === undefined ? undefined : ['yes'],
      '$PASSWORD-SET$': record.passwordSet === undefined ? undefined : [instantText(record.passwordSet)],
      ...(await userFormVariables(request, record)),
    },
  };
}

function factVariables({ macros, user }: PortalRequest, { name, role, groups }: SecurityUser): PageVariables {
  return {
    $NAME$: [name],
    '$ROLE-NAME$': [role],
    $GROUPS$: [groups.join(', ') || '–'],
    '$IS-SELF$': foldedName(name) === foldedName(user.name) ? ['yes'] : undefined,
    '$MACRO-PATH$': macros.isConfigured ? [macroPath({ level: 'user', name })] : undefined,
  };
}

/** What the fields of a user's form hold: what was typed, or else what is so. */
export async function userFormVariables(
  { portal, typed }: PortalRequest,
  record: UserRecord | undefined,
): Promise<PageVariables> {
  const role: string = typed('ROLE') ?? record?.role ?? ('user' satisfies Role);
  const groups = await portal.users.groups();
  return {
    '$ROLE-CHOICE$': roles.toReversed(),
    '$ROLE-IS-CHOSEN$': roles.toReversed().map((choice) => (choice === role ? 'yes' : '')),
    '$GROUPS-TYPED$': [typed('GROUPS') ?? record?.groups.join(' ') ?? ''],
    '$EXPIRES-TYPED$': [typed('EXPIRES') ?? record?.expires ?? ''],
    '$KNOWN-GROUPS$': groups.length === 0 ? undefined : [namesText(groups, MOST_NAMED_GROUPS)],
  };
}

export async function userRemovalPage(request: PortalRequest): Promise<PortalOutcome> {
  const { name, role, groups } = await existingUser(request);
  const { macros, user } = request;
  const directory = { level: 'user', name } as const;
  const stored = macros.isConfigured ? await macros.store.read(directory) : undefined;
  const path = userPath(name);
  return confirmation({
    title: `Remove user ${name}?`,
    facts: [
      `Role ${role}${groups.length === 0 ? '' : `, groups ${groups.join(', ')}`}. The password is gone with the user.`,
      'Sign-ons of this user end. Groups stay, even those that nobody is in any more.',
      ...(stored === undefined
        ? []
        : [
            `The macros of this user stay at ${macroPath(directory)}; remove them there first if nobody is to see them.`,
          ]),
      ...(foldedName(name) === foldedName(user.name) ? ['This is you: you will be signed off.'] : []),
    ],
    action: `${path}/remove`,
    button: `Remove ${name}`,
    back: path,
  });
}

/**
 * The user of the file in the path of a page.
 * @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN
 */
export async function existingUser({ portal, segment }: PortalRequest): Promise<UserRecord> {
  const record = await portal.users.findRecord(segment('name'));
  if (record === undefined) throw unknownUser(segment('name'));
  return record;
}

function unknownUser(name: string): ServiceError {
  return new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN', {
    detail: `No user "${name.slice(0, 70)}" can be changed here.`,
  });
}
