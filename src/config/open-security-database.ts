import { type Log, silentLog } from '../log.js';
import { FileSecurityDatabase } from '../security/file-security-database.js';
import type { SecurityDatabase } from '../security/security-database.js';
import type { Configuration } from './configuration.js';

export interface OpenedSecurityDatabase {
  /** All users. */
  readonly database: SecurityDatabase;
  /** Those of the file, which can be changed here. */
  readonly file: FileSecurityDatabase;
  readonly hasDirectoryServer: boolean;
  close(): Promise<void>;
}

/**
 * Opens the users and groups of a configuration.
 * @param onLocked a user was locked after wrong passwords
 * @throws Error in words where the file cannot be read or has faults
 */
export async function openSecurityDatabase(
  { security }: Configuration,
  log: Log = silentLog,
  onLocked?: (name: string) => void,
): Promise<OpenedSecurityDatabase> {
  const { database: path, lockAfter, lockMinutes } = security;
  const file = new FileSecurityDatabase({
    file: path,
    lockAfter,
    lockMinutes,
    log,
    ...(onLocked === undefined ? {} : { onLocked }),
  });
  await file.open();
  return { database: file, file, hasDirectoryServer: false, close: async () => {} };
}
