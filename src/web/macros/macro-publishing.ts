import type { SecurityUser } from '../../access/users/security-database.js';
import { compareNames, foldedName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import type { MacroDirectory } from '../../macros/macro-directory.js';
import type { SiteMacros } from '../http/client-site.js';
import { hasRole } from '../sign-on/role-rank.js';

/** Names that a page is told; who may publish to more names the group in the request. */
const MOST_GROUPS_TOLD = 1_000;

/** Administrators publish to every group, members of the group of publishers to the groups they are in. */
export function isPublisher(user: SecurityUser, { publishers }: SiteMacros): boolean {
  return hasRole(user, 'administrator') || (publishers !== undefined && isIn(user, publishers));
}

/** The groups that a user may publish to, in the order of their names. */
export async function publishableGroups(user: SecurityUser, macros: SiteMacros): Promise<readonly string[]> {
  if (!isPublisher(user, macros)) return [];
  const groups = hasRole(user, 'administrator') ? await macros.service.groups() : user.groups.toSorted(compareNames);
  return groups.slice(0, MOST_GROUPS_TOLD);
}

/**
 * The macros of a group that a user may publish to.
 * @param name of the request; undefined: the default group of the user
 * @returns undefined where the user may not
 * @throws ServiceError SVC_ERR_MACRO_DIRECTORY where an administrator names a group that there is not
 */
export async function publishedDirectory(
  user: SecurityUser,
  macros: SiteMacros,
  name: string | undefined,
): Promise<MacroDirectory | undefined> {
  if (!isPublisher(user, macros)) return undefined;
  const group = name ?? user.groups[0];
  if (group === undefined) throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: 'You are in no group.' });
  if (hasRole(user, 'administrator')) return macros.service.directory('group', group);
  const own = user.groups.find((one) => foldedName(one) === foldedName(group));
  return own === undefined ? undefined : { level: 'group', name: own };
}

function isIn({ groups }: SecurityUser, name: string): boolean {
  return groups.some((group) => foldedName(group) === foldedName(name));
}
