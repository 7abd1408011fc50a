import { join } from 'node:path';
import { type Log, silentLog } from '../log.js';
import type { AuditRecord } from '../security/audit-record.js';
import { AUDIT_TRAIL_NAME, AuditTrail, type AuditTrailOptions } from '../security/audit-trail.js';
import { lockRecording } from '../users/change-recording.js';
import { UserAdministration } from '../users/user-administration.js';
import type { UserStore } from '../users/user-store.js';
import type { Configuration } from './configuration.js';
import { type OpenedSecurityDatabase, openSecurityDatabase } from './open-security-database.js';

export interface OpenUsersOptions extends Pick<AuditTrailOptions, 'onRefused' | 'onOutcomeLate'> {
  readonly log?: Log;
}

/** Users and groups of a configuration, and all that changes them. */
export interface OpenedUsers extends Omit<OpenedSecurityDatabase, 'file'> {
  /** Those that can be changed here. */
  readonly store: UserStore;
  readonly administration: UserAdministration;
  readonly audit: AuditRecord;
}

/** @throws Error in words where the file of users cannot be read or has faults */
export async function openUsers(configuration: Configuration, options: OpenUsersOptions = {}): Promise<OpenedUsers> {
  const { log = silentLog, ...tellings } = options;
  const audit = new AuditTrail({ ...tellings, file: join(configuration.data, AUDIT_TRAIL_NAME) });
  const { file: store, ...opened } = await openSecurityDatabase(configuration, log, lockRecording(audit));
  return { ...opened, store, administration: new UserAdministration(store, audit), audit };
}
