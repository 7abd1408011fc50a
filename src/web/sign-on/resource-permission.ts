import type { EntryPoint } from '../../entry-point/entry-point.js';
import { type SecurityLevel, securityLevels } from '../../entry-point/transaction.js';
import type { SecurityUser } from '../../security/security-database.js';
import { hasRole, roleNamed } from './role-rank.js';

const unservedLevels: readonly SecurityLevel[] = [securityLevels.ntlm, securityLevels.certificate];

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
    const { security } = transaction;
    return security === securityLevels.public || (user !== undefined && !unservedLevels.includes(security));
  }
  return user?.groups.some((group) => group.toUpperCase() === folded) === true;
}
