import type { TrailHead } from '../../access/audit/audit-head.js';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import type { VerificationOutcome } from '../../access/audit/audit-verification.js';
import type { AuditWritingTellings } from '../../access/audit/audit-writing.js';
import type { SignOnStore } from '../../access/sign-on/sign-on-store.js';
import type { TryStore } from '../../access/sign-on/try-store.js';
import type { TokenStore } from '../../access/tokens/token-store.js';
import type { SettingsStore } from '../../access/users/settings-store.js';
import type { UsersDocumentStore } from '../../access/users/users-document.js';
import type { Log } from '../../lib/log/log.js';
import type { DirectoryKeyStore } from '../../macros/directory-key.js';
import type { DraftStore } from '../../services/draft-store.js';
import type { NodeStore } from '../nodes/node-store.js';
import { Database } from './database.js';
import type { DatabaseDefinition } from './database-definition.js';
import { PostgresqlAuditTrail } from './postgresql-audit-trail.js';
import { PostgresqlDirectoryKeyStore } from './postgresql-directory-key-store.js';
import { PostgresqlDraftStore } from './postgresql-draft-store.js';
import { PostgresqlIdempotencyStore } from './postgresql-idempotency-store.js';
import { PostgresqlMacroStore } from './postgresql-macro-store.js';
import { PostgresqlNodeStore } from './postgresql-node-store.js';
import { PostgresqlSettingsStore } from './postgresql-settings-store.js';
import { PostgresqlSignOnStore } from './postgresql-sign-on-store.js';
import { PostgresqlTokenStore } from './postgresql-token-store.js';
import { PostgresqlTryStore } from './postgresql-try-store.js';
import { PostgresqlUsersDocuments } from './postgresql-users-documents.js';
import { ProcessPresence } from './process-presence.js';
import { verifyAudit } from './verify-audit.js';

export class SharedStores {
  readonly #database: Database;
  readonly #presence: ProcessPresence;
  readonly settings: SettingsStore;
  readonly drafts: DraftStore;
  readonly directoryKeys: DirectoryKeyStore;
  readonly tokens: TokenStore;
  readonly users: UsersDocumentStore;
  readonly macros: PostgresqlMacroStore;
  readonly idempotency: PostgresqlIdempotencyStore;
  readonly nodes: NodeStore;

  private constructor(definition: DatabaseDefinition, log: Log) {
    const database = new Database(definition, log);
    this.#database = database;
    this.#presence = new ProcessPresence(definition);
    this.settings = new PostgresqlSettingsStore(database);
    this.drafts = new PostgresqlDraftStore(database);
    this.directoryKeys = new PostgresqlDirectoryKeyStore(database);
    this.tokens = new PostgresqlTokenStore(database);
    this.users = new PostgresqlUsersDocuments(database);
    this.macros = new PostgresqlMacroStore(database);
    this.nodes = new PostgresqlNodeStore(database, this.#presence);
    this.idempotency = new PostgresqlIdempotencyStore(database, this.#presence);
  }

  /** @throws Error if the database cannot be reached or has another schema */
  static async open(definition: DatabaseDefinition, log: Log): Promise<SharedStores> {
    const stores = new SharedStores(definition, log);
    try {
      await stores.#database.for('SVC_ERR_STORE_UNAVAILABLE').query('select');
      return stores;
    } catch (error) {
      await stores.close();
      const { detail, message } = error as { readonly detail?: string; readonly message: string };
      throw new Error(`store.postgresql cannot be used: ${detail ?? message}`, { cause: error });
    }
  }

  signOns(kind: 'portal' | 'client', mostOfUser: number): SignOnStore {
    return new PostgresqlSignOnStore(this.#database, kind, mostOfUser);
  }

  tries(kind: 'address' | 'user'): TryStore {
    return new PostgresqlTryStore(this.#database, kind);
  }

  audit(tellings: AuditWritingTellings): AuditTrail {
    return new PostgresqlAuditTrail(this.#database, tellings);
  }

  verifyAudit(expected?: TrailHead): Promise<VerificationOutcome> {
    return verifyAudit(this.#database.for('SVC_ERR_AUDIT_UNAVAILABLE'), expected);
  }

  writeFault(): Promise<string | undefined> {
    return this.#database.writeFault();
  }

  /** Time of the database, so that times agree between nodes. */
  now(): number {
    return this.#database.clock.now();
  }

  async close(): Promise<void> {
    this.idempotency.close();
    await this.macros.close();
    await this.#presence.close();
    await this.#database.close();
  }
}
