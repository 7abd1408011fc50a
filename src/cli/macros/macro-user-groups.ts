import type { SecurityDatabase } from '../../access/users/security-database.js';
import { foldedName } from '../../access/users/security-name.js';
import type { UploadPair } from './macro-upload-pair.js';

export interface UserGroups {
  /** In the order of groups, then of users. */
  readonly pairs: readonly UploadPair[];
  readonly usersWithoutGroup: readonly string[];
  /** Groups that are no user's default group: no call would post their file. */
  readonly groupsWithoutUser: readonly string[];
  /** Members of the group that was asked for whose default group is another one. */
  readonly membersElsewhere: readonly UploadPair[];
}

/**
 * Every user with the default group, the one named first: of one group, or of all.
 *
 * @returns undefined where there is no such group
 */
export async function readUserGroups(database: SecurityDatabase, only?: string): Promise<UserGroups | undefined> {
  const group = only === undefined ? undefined : await database.findGroup(only);
  if (only !== undefined && group === undefined) return undefined;
  const members = new Map<string, { readonly name: string; readonly users: string[] }>();
  for (const name of group === undefined ? await database.groups() : [group]) {
    members.set(foldedName(name), { name, users: [] });
  }
  const usersWithoutGroup: string[] = [];
  const membersElsewhere: UploadPair[] = [];
  for (const { name, groups } of await database.users()) {
    const [first] = groups;
    if (first === undefined) usersWithoutGroup.push(name);
    else if (members.has(foldedName(first))) members.get(foldedName(first))?.users.push(name);
    else if (group === undefined) members.set(foldedName(first), { name: first, users: [name] });
    else if (groups.some((one) => foldedName(one) === foldedName(group)))
      membersElsewhere.push({ group: first, user: name });
  }
  const found = [...members.values()];
  return {
    pairs: found.flatMap(({ name, users }) => users.map((user) => ({ group: name, user }))),
    usersWithoutGroup: group === undefined ? usersWithoutGroup : [],
    groupsWithoutUser: found.filter(({ users }) => users.length === 0).map(({ name }) => name),
    membersElsewhere,
  };
}
