import { refusedChange } from '../../access/users/refused-change.js';
import { type Role, roles } from '../../access/users/security-database.js';
import { foldedName } from '../../access/users/security-name.js';
import { newPassword, passwordFormVariables } from './password-form.js';
import { redirectTo, userPath } from './portal-paths.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';
import { existingUser, userFormVariables } from './user-page.js';

export async function newUserPage(request: PortalRequest): Promise<PortalOutcome> {
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

export async function addUser(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, actor, field } = request;
  const name = field('USERID').trim();
  const [role, groups, expires] = [typedRole(request), typedGroups(request), typedDay(request)];
  const { password, isMade, end } = newPassword(request);
  await portal.administration.addUser(actor, { name, role, groups, expires }, password);
  end();
  return isMade ? madePasswordPage(name, password) : redirectTo('/users', 'user-added');
}

export async function changeUser(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, actor } = request;
  const { name } = await existingUser(request);
  const [role, groups, expires] = [typedRole(request), typedGroups(request), typedDay(request)];
  await portal.administration.changeUser(actor, name, { role, groups, expires });
  return redirectTo(userPath(name), 'user-changed');
}

export async function passwordPage(request: PortalRequest): Promise<PortalOutcome> {
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

export async function setPassword(request: PortalRequest): Promise<PortalOutcome> {
  const { name } = await existingUser(request);
  const { password, isMade, end } = newPassword(request);
  await request.portal.administration.setPassword(request.actor, name, password);
  end();
  return isMade ? madePasswordPage(name, password) : redirectTo(userPath(name), 'password-set');
}

export async function unlockUser(request: PortalRequest): Promise<PortalOutcome> {
  const { name } = await existingUser(request);
  await request.portal.administration.unlock(request.actor, name);
  return redirectTo(userPath(name), 'user-unlocked');
}

/** Whoever signed on anew after the form of it was sent is led back to the user. */
export async function unlockPage(request: PortalRequest): Promise<PortalOutcome> {
  return { kind: 'redirect', to: userPath((await existingUser(request)).name) };
}

export async function removeUser(request: PortalRequest): Promise<PortalOutcome> {
  const { name } = await existingUser(request);
  await request.portal.administration.removeUser(request.actor, name);
  return redirectTo('/users', 'user-removed');
}

/** The one page that shows a password: it was made for a browser without scripts, and is shown this once. */
function madePasswordPage(name: string, password: string): PortalOutcome {
  const variables = { $NAME$: [name], $PATH$: [userPath(name)], '$MADE-PASSWORD$': [password] };
  return { kind: 'page', page: 'MADE-PASSWORD.HTML', variables };
}

function typedRole({ field }: PortalRequest): Role {
  const role = roles.find((known) => known === field('ROLE'));
  if (role === undefined) throw refusedChange('Choose a role.');
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
