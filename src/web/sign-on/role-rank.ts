import type { Role, SecurityUser } from '../../access/users/security-database.js';

/** From the least to the greatest. */
const ranks: readonly Role[] = ['user', 'operator', 'administrator'];

/** A greater role may do what a lesser one may. */
export function hasRole({ role }: SecurityUser, least: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(least);
}

/** The role of a name, in any case of letters. */
export function roleNamed(name: string): Role | undefined {
  return ranks.find((role) => role === name.toLowerCase());
}
