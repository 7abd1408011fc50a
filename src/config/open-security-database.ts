import { readFile } from 'node:fs/promises';
import { LdapSecurityDatabase } from '../access/ldap/ldap-security-database.js';
import type { LdapDefinition } from '../access/ldap/ldap-server.js';
import { DocumentSecurityDatabase, type SecurityDatabaseOptions } from '../access/users/document-security-database.js';
import { FileSecurityDatabase } from '../access/users/file-security-database.js';
import { JoinedSecurityDatabase } from '../access/users/joined-security-database.js';
import type { RecordSecurityChange } from '../access/users/security-change.js';
import type { SecurityDatabase } from '../access/users/security-database.js';
import type { SharedStores } from '../cluster/postgresql/shared-stores.js';
import { type Log, silentLog } from '../lib/log/log.js';
import type { Configuration } from './configuration.js';
import type { LdapDocument } from './configuration-document.js';
import { readPemFile } from './read-pem-file.js';

export interface OpenedSecurityDatabase {
  /** All users. */
  readonly database: SecurityDatabase;
  /** Those of the file, or of the database that is shared, which can be changed here. */
  readonly file: DocumentSecurityDatabase;
  readonly hasDirectoryServer: boolean;
  close(): Promise<void>;
}

/**
 * Opens the users and groups of a configuration.
 * @param recordLock locks a user after wrong passwords
 * @param shared where the users are; undefined: in the file
 * @throws Error in words where the file cannot be read or has faults
 */
export async function openSecurityDatabase(
  { security, passwordCost }: Configuration,
  log: Log = silentLog,
  recordLock?: RecordSecurityChange,
  shared?: SharedStores,
): Promise<OpenedSecurityDatabase> {
  const { database: path, lockAfter, lockMinutes } = security;
  const options = {
    lockAfter,
    lockMinutes,
    log,
    ...(recordLock === undefined ? {} : { recordLock }),
    ...(passwordCost === undefined ? {} : { passwordCost }),
  };
  const file = shared === undefined ? await openFile(path, options) : openShared(shared, options);
  const { ldap } = security;
  if (ldap === undefined) return { database: file, file, hasDirectoryServer: false, close: () => file.close() };
  const directory = new LdapSecurityDatabase(await ldapDefinition(ldap), log);
  directory.open();
  return {
    database: new JoinedSecurityDatabase(file, directory),
    file,
    hasDirectoryServer: true,
    close: async () => {
      await file.close();
      await directory.close();
    },
  };
}

async function openFile(file: string, options: SecurityDatabaseOptions): Promise<DocumentSecurityDatabase> {
  const database = new FileSecurityDatabase({ ...options, file });
  await database.open();
  return database;
}

function openShared(shared: SharedStores, options: SecurityDatabaseOptions): DocumentSecurityDatabase {
  return new DocumentSecurityDatabase(shared.users, {
    ...options,
    tries: shared.tries('user'),
    now: () => shared.now(),
  });
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
