import type { Actor } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { EditableUserStore, UserRecord } from './editable-user-store.js';
import { checkPassword, madePassword } from './password-rule.js';
import { changeRecording, type RecordSecurityChange, refusedChange, type SecurityWord } from './security-change.js';
import { foldedName } from './security-name.js';
import type { SettingsStore } from './settings-store.js';
import type { NewUser, UserChange } from './user-changes.js';

export const FIRST_ADMINISTRATOR = 'admin';
/** 92 bits. Typed only once. */
const FIRST_PASSWORD_LENGTH = 16;
const byFirstStart: Actor = { who: 'Sallyport', from: 'first start' };

/**
 * Operations on users and groups for commands, the portal and the first start. A change that cannot be recorded is not
 * made.
 * All methods throw ServiceError SVC_ERR_SECURITY_CHANGE, and changes also SVC_ERR_AUDIT_UNAVAILABLE.
 */
export class UserAdministration {
  readonly #store: EditableUserStore;
  readonly #audit: AuditTrail;
  readonly #settings: Pick<SettingsStore, 'remove'>;

  /** @param settings removed together with their user, so that a later user with the same name does not get them */
  constructor(store: EditableUserStore, audit: AuditTrail, settings: Pick<SettingsStore, 'remove'>) {
    this.#store = store;
    this.#audit = audit;
    this.#settings = settings;
  }

  /** For callers that then ask for a password. Throws if the user exists. */
  async checkFree(name: string): Promise<void> {
    const taken = await this.#store.findRecord(name);
    if (taken !== undefined) throw refusedChange('user.exists', { name: taken.name });
  }

  async existing(name: string): Promise<UserRecord> {
    const record = await this.#store.findRecord(name);
    if (record === undefined) throw refusedChange('user.unknown', { name: name.slice(0, 70) });
    return record;
  }

  async addUser(actor: Actor, user: NewUser, password: string): Promise<void> {
    checkPassword(password);
    await this.#store.addUser(user, password, this.#recording(actor, 'user.added'));
  }

  /** Users cannot change their own role. An administrator who gave up the role by mistake could not restore it. */
  async changeUser(actor: Actor, name: string, change: UserChange): Promise<void> {
    const { name: found, role } = await this.existing(name);
    const isSelf = foldedName(found) === foldedName(actor.who);
    if (isSelf && change.role !== undefined && change.role !== role) {
      throw refusedChange('user.ownRole');
    }
    await this.#store.changeUser(found, change, this.#recording(actor, 'user.changed'));
  }

  async setPassword(actor: Actor, name: string, password: string): Promise<void> {
    checkPassword(password);
    await this.#store.setPassword(name, password, this.#recording(actor, 'user.passwordSet'));
  }

  /** Recorded even if the user is not locked: the count of wrong passwords is reset. */
  async unlock(actor: Actor, name: string): Promise<void> {
    await this.#store.unlock(name, this.#recording(actor, 'user.unlocked'));
  }

  async removeUser(actor: Actor, name: string): Promise<void> {
    await this.#store.removeUser(name, this.#recording(actor, 'user.removed'));
    await this.#settings.remove(name);
  }

  async addGroup(actor: Actor, name: string): Promise<void> {
    await this.#store.addGroup(name, this.#recording(actor, 'group.added'));
  }

  async removeGroup(actor: Actor, name: string): Promise<void> {
    await this.#store.removeGroup(name, this.#recording(actor, 'group.removed'));
  }

  hasAdministrator(): Promise<boolean> {
    return this.#store.hasAdministrator();
  }

  async addFirstAdministrator(): Promise<string> {
    const password = madePassword(FIRST_PASSWORD_LENGTH);
    const user = { name: FIRST_ADMINISTRATOR, role: 'administrator', groups: [], expires: undefined } as const;
    await this.addUser(byFirstStart, user, password);
    return password;
  }

  #recording(actor: Actor, what: SecurityWord): RecordSecurityChange {
    return changeRecording(this.#audit, actor, what);
  }
}
