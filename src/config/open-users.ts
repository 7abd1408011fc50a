import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { AUDIT_TRAIL_NAME, type AuditTrailOptions, FileAuditTrail } from '../access/audit/file-audit-trail.js';
import type { LdapDefinition } from '../access/ldap/ldap-server.js';
import { LdapUserStore } from '../access/ldap/ldap-user-store.js';
import { FileTokenStore, TOKENS_NAME } from '../access/tokens/file-token-store.js';
import { TokenAdministration } from '../access/tokens/token-administration.js';
import type { TokenStore } from '../access/tokens/token-store.js';
import { DocumentUserStore, type SecurityDatabaseOptions } from '../access/users/document-user-store.js';
import type { EditableUserStore } from '../access/users/editable-user-store.js';
import { FileSettingsStore, SETTINGS_NAME } from '../access/users/file-settings-store.js';
import { FileUserStore } from '../access/users/file-user-store.js';
import { JoinedUserStore } from '../access/users/joined-user-store.js';
import { lockRecording, type RecordSecurityChange } from '../access/users/security-change.js';
import type { SettingsStore } from '../access/users/settings-store.js';
import { UserAdministration } from '../access/users/user-administration.js';
import type { UserStore } from '../access/users/user-store.js';
import type { SharedStores } from '../cluster/postgresql/shared-stores.js';
import { type Log, silentLog } from '../lib/log/log.js';
import type { Configuration } from './configuration.js';
import type { LdapDocument } from './configuration-document.js';
import { openStore } from './open-store.js';
import { readPemFile } from './read-pem-file.js';

const MEBIBYTE = 1_048_576;

export interface OpenUsersOptions extends Omit<AuditTrailOptions, 'file' | 'now' | 'rotateBytes'> {
  readonly log?: Log;
  readonly settings?: SettingsStore;
  /** A shared database that is already open; `close` does not close it. */
  readonly shared?: SharedStores | undefined;
}

export interface OpenedUsers extends Omit<OpenedUserStore, 'file'> {
  readonly store: EditableUserStore;
  readonly administration: UserAdministration;
  readonly audit: AuditTrail;
  readonly tokenStore: TokenStore;
  readonly tokens: TokenAdministration;
}

/** @throws Error with a readable message if the file of users cannot be read or has errors */
export async function openUsers(configuration: Configuration, options: OpenUsersOptions = {}): Promise<OpenedUsers> {
  const { log = silentLog, ...others } = options;
  if (options.shared !== undefined) return openAll(configuration, log, others);
  const shared = await openStore(configuration, log);
  if (shared === undefined) return openAll(configuration, log, others);
  try {
    const opened = await openAll(configuration, log, { ...others, shared });
    const close = async () => {
      await opened.close();
      await shared.close();
    };
    return { ...opened, close };
  } catch (error) {
    await shared.close();
    throw error;
  }
}

async function openAll(
  configuration: Configuration,
  log: Log,
  { shared, settings = openSettings(configuration, shared), ...tellings }: Omit<OpenUsersOptions, 'log'>,
): Promise<OpenedUsers> {
  const audit =
    shared?.audit(tellings) ??
    new FileAuditTrail({
      ...tellings,
      file: join(configuration.data, AUDIT_TRAIL_NAME),
      rotateBytes: configuration.audit.rotateMebibytes * MEBIBYTE,
    });
  const { file: store, ...opened } = await openUserStore(configuration, log, lockRecording(audit), shared);
  const tokenStore = shared?.tokens ?? new FileTokenStore(join(configuration.data, TOKENS_NAME));
  return {
    ...opened,
    store,
    administration: new UserAdministration(store, audit, settings),
    audit,
    tokenStore,
    tokens: new TokenAdministration(tokenStore, audit, shared && (() => shared.now())),
  };
}

/** Terminal settings of users. Two stores opened for the same folder do not wait for each other's writes. */
export function openSettings({ data }: Pick<Configuration, 'data'>, shared?: SharedStores): SettingsStore {
  return shared?.settings ?? new FileSettingsStore(join(data, SETTINGS_NAME));
}

interface OpenedUserStore {
  /** All users, including those of the directory server. */
  readonly database: UserStore;
  /** Users that this server can change. */
  readonly file: DocumentUserStore;
  readonly hasDirectoryServer: boolean;
  close(): Promise<void>;
}

/** @throws Error with a readable message if the file cannot be read or has errors */
export async function openUserStore(
  { security, passwordCost }: Configuration,
  log: Log = silentLog,
  recordLock?: RecordSecurityChange,
  shared?: SharedStores,
): Promise<OpenedUserStore> {
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
  const directory = new LdapUserStore(await ldapDefinition(ldap), log);
  directory.open();
  return {
    database: new JoinedUserStore(file, directory),
    file,
    hasDirectoryServer: true,
    close: async () => {
      await file.close();
      await directory.close();
    },
  };
}

async function openFile(file: string, options: SecurityDatabaseOptions): Promise<DocumentUserStore> {
  const database = new FileUserStore({ ...options, file });
  await database.open();
  return database;
}

function openShared(shared: SharedStores, options: SecurityDatabaseOptions): DocumentUserStore {
  return new DocumentUserStore(shared.users, { ...options, tries: shared.tries('user'), now: () => shared.now() });
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
