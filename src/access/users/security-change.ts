import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import type { Actor, AuditEntry } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';

/** Facts for the audit trail. Undefined: the user or group does not exist before or after the change. */
export interface SecurityChange {
  readonly before: { readonly name: string } | undefined;
  readonly after: { readonly name: string } | undefined;
}

interface RecordedSecurityChange extends SecurityChange {
  readonly newGroups: readonly string[];
}

/** Makes a change and records it. Rejects without making the change if it cannot be recorded. */
export type RecordSecurityChange = (change: RecordedSecurityChange, make: () => Promise<void>) => Promise<void>;

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

/** Groups created by the change get their own entries. */
export function changeRecording(audit: AuditTrail, actor: Actor, what: SecurityWord): RecordSecurityChange {
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

export function lockRecording(audit: AuditTrail): RecordSecurityChange {
  return changeRecording(audit, bySignOn, 'user.locked');
}

export function refusedChange(code: Reason['code'], values?: Reason['values']): ServiceError {
  return new ServiceError('SVC_ERR_SECURITY_CHANGE', { detail: { code, values } });
}
