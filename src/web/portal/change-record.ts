import type { SecurityChange } from '../../security/file-security-database.js';
import type { PortalRequest } from './portal-route.js';

type SecurityWord =
  | 'user.added'
  | 'user.changed'
  | 'user.passwordSet'
  | 'user.unlocked'
  | 'user.removed'
  | 'group.added'
  | 'group.removed';

/** Puts a change of users or groups into the audit trail. */
export function appendChange(
  { portal, actor }: PortalRequest,
  what: SecurityWord,
  subject: string,
  { before, after }: SecurityChange,
): Promise<void> {
  return portal.audit.append({ ...actor, what, subject, before, after });
}
