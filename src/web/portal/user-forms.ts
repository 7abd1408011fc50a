import { ServiceError } from '../../errors.js';
import { type Role, roles } from '../../security/security-database.js';
import { foldedName } from '../../security/security-name.js';
import { appendChange } from './change-record.js';
import { newPassword, passwordFormVariables } from './password-form.js';
import { redirectTo, userPath } from './portal-paths.js';
import type { PortalReply, PortalRequest } from './portal-route.js';
import { existingUser, userFormVariables } from './user-page.js';

export async function newUserPage(request: PortalRequest): Promise<PortalReply> {
  return {
    kind: 'page',
    page: 'NEW-USER.HTML',
    variables: {
      '$NAME-TYPED$': [request.typed('USERID') ?? ''],
      ...(await userFormVariables(request, undefined)),
      ...(await passwordFormVariables(request)),
    },
  };
}

export async function addUser(request: PortalRequest): Promise<PortalReply> {
  const { portal, field } = request;
  const name = field('USERID').trim();
  const [role, groups, expires] = [typedRole(request), typedGroups(request), typedDay(request)];
  const { password, isMade, end } = newPassword(request);
  await withNewGroups(request, groups, async () => {
    const change = await portal.users.addUser({ name, role, groups, expires }, password);
    await appendChange(request, 'user.added', `user ${name}`, change);
  });
  end();
  return isMade ? madePasswordPage(name, password) : redirectTo('/users', 'user-added');
}

export async function changeUser(request: PortalRequest): Promise<PortalReply> {
  const { portal } = request;
  const { name } = await existingUser(request);
  const isSelf = foldedName(name) === foldedName(request.user.name);
  if (isSelf && typedRole(request) !== request.user.role) {
    throw new ServiceError('SVC_ERR_SECURITY_CHANGE', {
      detail: 'Another administrator can change your role; you cannot.',
    });
  }
  const [role, groups, expires] = [typedRole(request), typedGroups(request), typedDay(request)];
  await withNewGroups(request, groups, async () => {
    const change = await portal.users.changeUser(name, { role, groups, expires });
    await appendChange(request, 'user.changed', `user ${name}`, change);
  });
  return redirectTo(userPath(name), 'user-changed');
}

export async function passwordPage(request: PortalRequest): Promise<PortalReply> {
  const { name } = await existingUser(request);
  const isSelf = foldedName(name) === foldedName(request.user.name);
  return {
    kind: 'page',
    page: 'USER-PASSWORD.HTML',
    variables: {
      $NAME$: [name],
      $PATH$: [userPath(name)],
      '$IS-SELF$': isSelf ? ['yes'] : undefined,
      ...(await passwordFormVariables(request)),
    },
  };
}

export async function setPassword(request: PortalRequest): Promise<PortalReply> {
  const { name } = await existingUser(request);
  const { password, isMade, end } = newPassword(request);
  const change = await request.portal.users.setPassword(name, password);
  await appendChange(request, 'user.passwordSet', `user ${name}`, change);
  end();
  return isMade ? madePasswordPage(name, password) : redirectTo(userPath(name), 'password-set');
}

export async function unlockUser(request: PortalRequest): Promise<PortalReply> {
  const { name } = await existingUser(request);
  const change = await request.portal.users.unlock(name);
  await appendChange(request, 'user.unlocked', `user ${name}`, change);
  return redirectTo(userPath(name), 'user-unlocked');
}

/** Whoever signed on anew after the form of it was sent is led back to the user. */
export async function unlockPage(request: PortalRequest): Promise<PortalReply> {
  return { kind: 'redirect', to: userPath((await existingUser(request)).name) };
}

export async function removeUser(request: PortalRequest): Promise<PortalReply> {
  const { name } = await existingUser(request);
  const change = await request.portal.users.removeUser(name);
  await appendChange(request, 'user.removed', `user ${name}`, change);
  return redirectTo('/users', 'user-removed');
}

/** The one page that shows a password: it was made for a browser without scripts, and is shown this once. */
function madePasswordPage(name: string, password: string): PortalReply {
  const variables = { $NAME$: [name], $PATH$: [userPath(name)], '$MADE-PASSWORD$': [password] };
  return { kind: 'page', page: 'MADE-PASSWORD.HTML', variables };
}

/** A change that may bring groups into being: each of them has an entry of its own. */
async function withNewGroups(
  request: PortalRequest,
  groups: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const { users } = request.portal;
  const before = new Set((await users.groups()).map(foldedName));
  await change();
  for (const name of await users.groups()) {
    const isNew = !before.has(foldedName(name)) && groups.some((group) => foldedName(group) === foldedName(name));
    if (isNew) await appendChange(request, 'group.added', `group ${name}`, { before: undefined, after: { name } });
  }
}

function typedRole({ field }: PortalRequest): Role {
  const role = roles.find((known) => known === field('ROLE'));
  if (role === undefined) throw refused('Choose a role.');
  return role;
}

/** With blanks or commas between them. */
function typedGroups({ field }: PortalRequest): string[] {
  return field('GROUPS')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
}

function typedDay({ field }: PortalRequest): string | undefined {
  return field('EXPIRES').trim() || undefined;
}

function refused(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_SECURITY_CHANGE', { detail });
}
