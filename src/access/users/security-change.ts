import { ServiceError } from '../../lib/errors.js';
import type { Actor, AuditEntry } from '../audit/audit-entry.js';
import type { AuditRecord } from '../audit/audit-record.js';

/** What a change has made of a user or a group, for the audit trail; undefined: it was not there. */
export interface SecurityChange {
  readonly before: { readonly name: string } | undefined;
  readonly after: { readonly name: string } | undefined;
}

/** A change with the groups that it brings into being. */
interface RecordedSecurityChange extends SecurityChange {
  readonly newGroups: readonly string[];
}

/** Makes a change, and sees to it that it is put on record; where that cannot be it rejects, and makes none. */
export type RecordSecurityChange = (change: RecordedSecurityChange, make: () => Promise<void>) => Promise<void>;

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

/** Why a change of users or groups is not made; whoever asked for it is told. */
export function refusedChange(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_SECURITY_CHANGE', { detail });
}
