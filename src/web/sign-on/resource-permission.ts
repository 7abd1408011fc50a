import type { SecurityUser } from '../../access/users/security-database.js';
import type { EntryPoint } from '../../lines/entry-point/entry-point.js';
import { openTo } from '../../lines/entry-point/transaction.js';
import { hasRole, roleNamed } from './role-rank.js';

/**
 * Whether a user may use a resource (IF-USER-IS-ALLOWED-TO): a role, a transaction of the entry point by its internal name, or
 * else what a group is named after. Nobody may use what is none of them.
 */
export function isAllowedTo(resource: string, user: SecurityUser | undefined, { definition }: EntryPoint): boolean {
  const role = roleNamed(resource);
  if (role !== undefined) return user !== undefined && hasRole(user, role);
  const folded = resource.toUpperCase();
  const transaction = definition.transactions.find(({ name }) => name.toUpperCase() === folded);
  if (transaction !== undefined) {
    const open = openTo(transaction.security);
    return open === 'anybody' || (open === 'users' && user !== undefined);
  }
  return user?.groups.some((group) => group.toUpperCase() === folded) === true;
}
