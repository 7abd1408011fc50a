import type { Actor } from './audit-entry.js';
import type { AuditTrail } from './audit-trail.js';
import type { FileSecurityDatabase, RecordSecurityChange, SecurityChange } from './file-security-database.js';
import type { NewUser, UserChange } from './user-changes.js';

type SecurityWord =
  | 'user.added'
  | 'user.changed'
  | 'user.passwordSet'
  | 'user.unlocked'
  | 'user.locked'
  | 'user.removed'
  | 'group.added'
  | 'group.removed';

/** Changes a user, or a group, with the audit trail told before and after; groups that come into being have an entry of their own. */
export function recorderOf(audit: AuditTrail, actor: Actor, what: SecurityWord): RecordSecurityChange {
  const [kind] = what.split('.');
  return ({ before, after, newGroups }, make) => {
    const subject = `${kind} ${(after ?? before)?.name}`;
    const further = newGroups.map((name) => ({
      ...actor,
      what: 'group.added',
      subject: `group ${name}`,
      after: { name },
    }));
    return audit.record({ ...actor, what, subject, before, after }, make, further);
  };
}

/**
 * What administrators do with the users and groups of the file; what cannot be put on record is not done.
 * Everything throws ServiceError SVC_ERR_SECURITY_CHANGE, SVC_ERR_AUDIT_UNAVAILABLE.
 */
export class SecurityChanges {
  readonly #users: FileSecurityDatabase;
  readonly #audit: AuditTrail;

  constructor(users: FileSecurityDatabase, audit: AuditTrail) {
    this.#users = users;
    this.#audit = audit;
  }

  addUser(actor: Actor, user: NewUser, password: string | undefined): Promise<SecurityChange> {
    return this.#users.addUser(user, password, recorderOf(this.#audit, actor, 'user.added'));
  }

  changeUser(actor: Actor, name: string, change: UserChange): Promise<SecurityChange> {
    return this.#users.changeUser(name, change, recorderOf(this.#audit, actor, 'user.changed'));
  }

  setPassword(actor: Actor, name: string, password: string): Promise<SecurityChange> {
    return this.#users.setPassword(name, password, recorderOf(this.#audit, actor, 'user.passwordSet'));
  }

  unlock(actor: Actor, name: string): Promise<SecurityChange> {
    return this.#users.unlock(name, recorderOf(this.#audit, actor, 'user.unlocked'));
  }

  removeUser(actor: Actor, name: string): Promise<SecurityChange> {
    return this.#users.removeUser(name, recorderOf(this.#audit, actor, 'user.removed'));
  }

  addGroup(actor: Actor, name: string): Promise<SecurityChange> {
    return this.#users.addGroup(name, recorderOf(this.#audit, actor, 'group.added'));
  }

  removeGroup(actor: Actor, name: string): Promise<SecurityChange> {
    return this.#users.removeGroup(name, recorderOf(this.#audit, actor, 'group.removed'));
  }
}
