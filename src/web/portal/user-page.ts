import type { UserRecord } from '../../access/users/editable-user-store.js';
import { madePassword } from '../../access/users/password-rule.js';
import { refusedChange } from '../../access/users/security-change.js';
import { foldedName } from '../../access/users/security-name.js';
import { type Role, roles, type SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import { OtherNodeError, otherNodeOf } from '../forwarding/forwarding.js';
import { challengeFields, challengeVariables, submitNumberOf } from '../sign-on/sign-on-form.js';
import { addressOf } from '../sign-on/signed-on-user.js';
import { macroPath, redirectTo, userPath } from './portal-paths.js';
import { confirmation, type PageVariables, type PortalOutcome, type PortalRequest } from './portal-route.js';
import { stateText } from './user-list-page.js';

const MOST_NAMED_GROUPS = 30;

/** A user, and the forms to change the user. */
export async function userPage(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, segment, site, words } = request;
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
      $STATE$: [stateText(record, words)],
      $LOCKED$: record.locked === undefined ? undefined : ['yes'],
      '$PASSWORD-SET$': record.passwordSet === undefined ? undefined : [words.instant(record.passwordSet)],
      ...(await userFormVariables(request, record)),
    },
  };
}

function factVariables({ macros, user, words }: PortalRequest, { name, role, groups }: SecurityUser): PageVariables {
  return {
    $NAME$: [name],
    '$ROLE-NAME$': [words.text(`role.${role}`)],
    $GROUPS$: [groups.join(', ') || '–'],
    '$IS-SELF$': foldedName(name) === foldedName(user.name) ? ['yes'] : undefined,
    '$MACRO-PATH$': macros.isConfigured ? [macroPath({ level: 'user', name })] : undefined,
  };
}

/** Values of the fields of a user's form: the typed values, or else the current ones. */
async function userFormVariables(
  { portal, typed, words }: PortalRequest,
  record: UserRecord | undefined,
): Promise<PageVariables> {
  const role: string = typed('ROLE') ?? record?.role ?? ('user' satisfies Role);
  const groups = await portal.users.groups();
  return {
    '$ROLE-CHOICE$': roles.toReversed(),
    '$ROLE-TEXT$': roles.toReversed().map((choice) => words.text(`role.${choice}`)),
    '$ROLE-IS-CHOSEN$': roles.toReversed().map((choice) => (choice === role ? 'yes' : '')),
    '$GROUPS-TYPED$': [typed('GROUPS') ?? record?.groups.join(' ') ?? ''],
    '$EXPIRES-TYPED$': [typed('EXPIRES') ?? record?.expires ?? ''],
    '$KNOWN-GROUPS$': groups.length === 0 ? undefined : [words.names(groups, MOST_NAMED_GROUPS)],
  };
}

export async function userRemovalPage(request: PortalRequest): Promise<PortalOutcome> {
  const { name, role, groups } = await existingUser(request);
  const { macros, user, words } = request;
  const directory = { level: 'user', name } as const;
  const stored = macros.isConfigured ? await macros.store.read(directory) : undefined;
  const path = userPath(name);
  return confirmation({
    title: words.text('users.remove', { name }),
    facts: [
      words.text(groups.length === 0 ? 'users.removeRole' : 'users.removeRoleGroups', {
        role: words.text(`role.${role}`),
        groups: groups.join(', '),
      }),
      words.text('users.removeEffect'),
      ...(stored === undefined ? [] : [words.text('users.macrosStay', { path: macroPath(directory) })]),
      ...(foldedName(name) === foldedName(user.name) ? [words.text('users.removeSelf')] : []),
    ],
    action: `${path}/remove`,
    button: words.text('users.removeButton', { name }),
    back: path,
  });
}

/**
 * The user of the file in the path of a page.
 * @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN
 */
async function existingUser({ portal, segment }: PortalRequest): Promise<UserRecord> {
  const record = await portal.users.findRecord(segment('name'));
  if (record === undefined) throw unknownUser(segment('name'));
  return record;
}

function unknownUser(name: string): ServiceError {
  return new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN', {
    detail: { code: 'user.cannotChange', values: { name: name.slice(0, 70) } },
  });
}

const passwordFields = ['PASSWORD', 'PASSWORD-AGAIN'] as const;
/** Name of the button that generates a password. */
const MAKE_FIELD = 'MAKE';
/** 116 bits. */
const MADE_LENGTH = 20;

/** Variables of a form with encrypted passwords, as on the sign-on form. */
async function passwordFormVariables({ site, request }: PortalRequest): Promise<PageVariables> {
  const { sessions, security } = site;
  if (sessions === undefined || security === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const address = addressOf(request.incoming);
  return challengeVariables(await security.challenges.make(address, () => sessions.challenge(address, undefined)));
}

interface NewPassword {
  readonly password: string;
  /** True if the server generated it, so that it must be shown. */
  readonly isMade: boolean;
  /** Call when the form has succeeded: its key pair is no longer needed. */
  end(): void;
}

/**
 * The password that was typed twice, or a generated one.
 * @throws ServiceError SVC_ERR_CRYPTO_REFUSED, SVC_ERR_SECURITY_CHANGE
 */
function newPassword({ site, request, field, fields }: PortalRequest): NewPassword {
  const { incoming } = request;
  const challenges = site.security?.challenges;
  const code = field(challengeFields.code);
  const other = otherNodeOf(site, incoming, code);
  if (other !== undefined) {
    const typed = new URLSearchParams();
    for (const [name, values] of fields) for (const value of values) typed.append(name, value);
    throw new OtherNodeError(other, Buffer.from(typed.toString()));
  }
  const challenge = challenges?.find(code, addressOf(incoming));
  if (challenge === undefined) throw new ServiceError('SVC_ERR_CRYPTO_REFUSED');
  const end = () => challenges?.end(code);
  if (field(MAKE_FIELD) !== '') {
    // the script of the page generates passwords in the browser
    if (challenge.crypto !== undefined && site.line.tls === undefined) {
      throw refusedChange('password.inClear');
    }
    return { password: madePassword(MADE_LENGTH), isMade: true, end };
  }
  const clear = challenge.clearSecrets({
    secrets: passwordFields.map((fieldId) => ({ fieldId, value: field(fieldId) })),
    wrappedKey: field(challengeFields.sessionKey) || undefined,
    number: submitNumberOf(incoming),
  });
  if (clear === undefined) throw new ServiceError('SVC_ERR_CRYPTO_REFUSED');
  const [password = '', again] = clear;
  if (password !== again) throw refusedChange('password.differ');
  return { password, isMade: false, end };
}

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

/** Redirects to the user after a new sign-on in response to its form. */
export async function unlockPage(request: PortalRequest): Promise<PortalOutcome> {
  return { kind: 'redirect', to: userPath((await existingUser(request)).name) };
}

export async function removeUser(request: PortalRequest): Promise<PortalOutcome> {
  const { name } = await existingUser(request);
  await request.portal.administration.removeUser(request.actor, name);
  return redirectTo('/users', 'user-removed');
}

/** The only page that shows a password: one generated for a browser without scripts, shown only once. */
function madePasswordPage(name: string, password: string): PortalOutcome {
  const variables = { $NAME$: [name], $PATH$: [userPath(name)], '$MADE-PASSWORD$': [password] };
  return { kind: 'page', page: 'MADE-PASSWORD.HTML', variables };
}

function typedRole({ field }: PortalRequest): Role {
  const role = roles.find((known) => known === field('ROLE'));
  if (role === undefined) throw refusedChange('user.role');
  return role;
}

/** Groups separated by blanks or commas. */
function typedGroups({ field }: PortalRequest): string[] {
  return field('GROUPS')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
}

function typedDay({ field }: PortalRequest): string | undefined {
  return field('EXPIRES').trim() || undefined;
}
