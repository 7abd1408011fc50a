import type { Actor, AuditEntry } from '../audit/audit-entry.js';
import type { AuditRecord } from '../audit/audit-record.js';
import type { RecordSecurityChange } from './security-change.js';

/** What is done with a user or a group, as the audit trail says it. */
export type SecurityWord =
  | 'user.added'
  | 'user.changed'
  | 'user.passwordSet'
  | 'user.unlocked'
  | 'user.locked'
  | 'user.removed'
  | 'group.added'
  | 'group.removed';

const bySignOn: Actor = { who: 'Sallyport', from: 'sign-on' };

/** Puts a change on record before and after it is made; groups that come into being have an entry of their own. */
export function changeRecording(audit: AuditRecord, actor: Actor, what: SecurityWord): RecordSecurityChange {
  const [kind] = what.split('.');
  return ({ before, after, newGroups }, make) => {
    const subject = `${kind} ${(after ?? before)?.name}`;
    const further = newGroups.map(
      (name): AuditEntry => ({
        ...actor,
        what: 'group.added',
        subject: `group ${name}`,
        after: { name },
      }),
    );
    return audit.record({ ...actor, what, subject, before, after }, make, further);
  };
}

/** The same for the lock of a user after wrong passwords, which nobody asks for. */
export function lockRecording(audit: AuditRecord): RecordSecurityChange {
  return changeRecording(audit, bySignOn, 'user.locked');
}
