import { readFile } from 'node:fs/promises';
import { type Log, silentLog } from '../log.js';
import { FileSecurityDatabase } from '../security/file-security-database.js';
import { JoinedSecurityDatabase } from '../security/joined-security-database.js';
import type { LdapDefinition } from '../security/ldap-definition.js';
import { LdapSecurityDatabase } from '../security/ldap-security-database.js';
import type { RecordSecurityChange } from '../security/security-change.js';
import type { SecurityDatabase } from '../security/security-database.js';
import type { Configuration } from './configuration.js';
import type { LdapDocument } from './configuration-document.js';
import { readPemFile } from './read-pem-file.js';

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
 * @param recordLock locks a user after wrong passwords
 * @throws Error in words where the file cannot be read or has faults
 */
export async function openSecurityDatabase(
  { security, passwordCost }: Configuration,
  log: Log = silentLog,
  recordLock?: RecordSecurityChange,
): Promise<OpenedSecurityDatabase> {
  const { database: path, lockAfter, lockMinutes } = security;
  const file = new FileSecurityDatabase({
    file: path,
    lockAfter,
    lockMinutes,
    log,
    ...(recordLock === undefined ? {} : { recordLock }),
    ...(passwordCost === undefined ? {} : { passwordCost }),
  });
  await file.open();
  const { ldap } = security;
  if (ldap === undefined) return { database: file, file, hasDirectoryServer: false, close: async () => {} };
  const directory = new LdapSecurityDatabase(await ldapDefinition(ldap), log);
  directory.open();
  return {
    database: new JoinedSecurityDatabase(file, directory),
    file,
    hasDirectoryServer: true,
    close: () => directory.close(),
  };
}

async function ldapDefinition(ldap: LdapDocument): Promise<LdapDefinition> {
  const { ca, bindPasswordFile, connectSeconds, timeoutSeconds, connections, ...others } = ldap;
  const { bindDn, decoyDn, defaultGroupAttribute, administratorGroup, operatorGroup } = ldap;
  return {
    ...others,
    bindDn,
    decoyDn,
    defaultGroupAttribute,
    administratorGroup,
    operatorGroup,
    ca: ca === undefined ? undefined : readPemFile(ca).toString(),
    bindPassword: bindPasswordFile === undefined ? undefined : await firstLineOf(bindPasswordFile),
    connectMilliseconds: connectSeconds * 1_000,
    timeoutMilliseconds: timeoutSeconds * 1_000,
    mostConnections: connections,
  };
}

async function firstLineOf(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).split(/\r?\n/, 1)[0] ?? '';
}
