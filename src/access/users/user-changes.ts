import { randomBytes } from 'node:crypto';
import { isDay } from '../../lib/calendar-day.js';
import { refusedChange } from './security-change.js';
import { foldedName, isSecurityName, securityNameReason } from './security-name.js';
import type { Role } from './user-store.js';
import { MOST_GROUPS_OF_USER, type UserBounds, type UserEntry, type UsersDocument } from './users-document.js';

const ID_BYTES = 16;

export interface NewUser {
  readonly name: string;
  readonly role: Role;
  /** Default group first. Missing groups are created. */
  readonly groups: readonly string[];
  readonly expires: string | undefined;
}

/** Missing properties keep their value. Properties set to undefined are removed. */
export interface UserChange {
  readonly role?: Role;
  readonly groups?: readonly string[];
  readonly expires?: string | undefined;
  readonly locked?: string | undefined;
}

export function addedUser(
  document: UsersDocument,
  { name, role, groups, expires }: NewUser,
  password: string | undefined,
  { instant, bounds }: { readonly instant: string; readonly bounds: UserBounds },
): UsersDocument {
  checkName(name, 'user.name');
  const taken = nameOf(Object.keys(document.users), name);
  if (taken !== undefined) throw refusedChange('user.exists', { name: taken });
  if (Object.keys(document.users).length >= bounds.users) {
    throw refusedChange('user.most', { most: bounds.users });
  }
  const withGroups = groups.reduce((changed, group) => withGroup(changed, group, bounds), document);
  const entry: UserEntry = {
    id: newId(),
    role,
    groups: groupsOf(withGroups, groups),
    ...(password === undefined ? {} : { password, passwordSet: instant }),
    ...(expires === undefined ? {} : { expires: checkedDay(expires) }),
  };
  return { ...withGroups, users: { ...withGroups.users, [name]: entry } };
}

export function changedUser(
  document: UsersDocument,
  name: string,
  change: UserChange,
  { today, bounds }: { readonly today: string; readonly bounds: UserBounds },
): UsersDocument {
  const found = existingUser(document, name);
  const entry = document.users[found] as UserEntry;
  const changed: Record<string, unknown> = { ...entry, ...change };
  const { groups = [] } = change;
  const withGroups = groups.reduce((before, group) => withGroup(before, group, bounds), document);
  if (change.groups !== undefined) changed.groups = groupsOf(withGroups, groups);
  if (change.expires !== undefined) checkedDay(change.expires);
  for (const [key, value] of Object.entries(changed)) if (value === undefined) delete changed[key];
  const after = { ...withGroups, users: { ...document.users, [found]: changed as unknown as UserEntry } };
  keepAdministrator(document, after, today);
  return after;
}

export function withPassword(document: UsersDocument, name: string, password: string, instant: string): UsersDocument {
  const found = existingUser(document, name);
  const { locked: _, ...entry } = document.users[found] as UserEntry;
  return { ...document, users: { ...document.users, [found]: { ...entry, password, passwordSet: instant } } };
}

export function removedUser(document: UsersDocument, name: string, today: string): UsersDocument {
  const found = existingUser(document, name);
  const { [found]: _, ...users } = document.users;
  const after = { ...document, users };
  keepAdministrator(document, after, today);
  return after;
}

export function addedGroup(document: UsersDocument, name: string, bounds: UserBounds): UsersDocument {
  const taken = nameOf(document.groups, name);
  if (taken !== undefined) throw refusedChange('group.exists', { name: taken });
  return withGroup(document, name, bounds);
}

export function removedGroup(document: UsersDocument, name: string): UsersDocument {
  const found = nameOf(document.groups, name);
  if (found === undefined) throw refusedChange('group.unknown', { name: name.slice(0, 70) });
  const members = Object.entries(document.users).filter(([, { groups }]) => groups.includes(found));
  if (members.length > 0) {
    const shown = members.slice(0, 3).map(([member]) => member);
    throw refusedChange(members.length === 1 ? 'group.hasUser' : 'group.hasUsers', {
      group: found,
      number: members.length,
      users: `${shown.join(', ')}${members.length > 3 ? ' …' : ''}`,
    });
  }
  const { [found]: _, ...groupIds } = document.groupIds ?? {};
  return { ...document, groups: document.groups.filter((group) => group !== found), groupIds };
}

export function nameOf(names: readonly string[], name: string): string | undefined {
  const folded = foldedName(name);
  return names.find((candidate) => foldedName(candidate) === folded);
}

function existingUser({ users }: UsersDocument, name: string): string {
  const found = nameOf(Object.keys(users), name);
  if (found === undefined) throw refusedChange('user.unknown', { name: name.slice(0, 70) });
  return found;
}

function withGroup(document: UsersDocument, name: string, bounds: UserBounds): UsersDocument {
  checkName(name, 'group.name');
  if (nameOf(document.groups, name) !== undefined) return document;
  if (document.groups.length >= bounds.groups) {
    throw refusedChange('group.most', { most: bounds.groups });
  }
  const groupIds = { ...document.groupIds, [name]: newId() };
  return { ...document, groups: [...document.groups, name], groupIds };
}

function newId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

function groupsOf({ groups }: UsersDocument, wanted: readonly string[]): string[] {
  const found = [...new Set(wanted.map((name) => nameOf(groups, name) ?? name))];
  if (found.length > MOST_GROUPS_OF_USER) throw refusedChange('user.groups', { most: MOST_GROUPS_OF_USER });
  return found;
}

function checkName(name: string, reason: 'user.name' | 'group.name'): void {
  if (isSecurityName(name)) return;
  throw refusedChange(reason, { name: name.slice(0, 70), rule: securityNameReason });
}

function checkedDay(day: string): string {
  if (!isDay(day)) throw refusedChange('user.expiry', { day: day.slice(0, 20) });
  return day;
}

/** Rejects a change that would leave no administrator. */
function keepAdministrator(before: UsersDocument, after: UsersDocument, today: string): void {
  const has = ({ users }: UsersDocument) =>
    Object.values(users).some(
      ({ role, expires, password }) =>
        role === 'administrator' && password !== undefined && (expires === undefined || expires >= today),
    );
  if (has(before) && !has(after)) throw refusedChange('user.lastAdministrator');
}
