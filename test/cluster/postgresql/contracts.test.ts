import type { TokenRecord } from '../../../src/access/tokens/token-store.js';
import { DocumentUserStore } from '../../../src/access/users/document-user-store.js';
import { Database } from '../../../src/cluster/postgresql/database.js';
import { PostgresqlAuditTrail } from '../../../src/cluster/postgresql/postgresql-audit-trail.js';
import { PostgresqlDirectoryKeyStore } from '../../../src/cluster/postgresql/postgresql-directory-key-store.js';
import { PostgresqlDraftStore } from '../../../src/cluster/postgresql/postgresql-draft-store.js';
import { PostgresqlIdempotencyStore } from '../../../src/cluster/postgresql/postgresql-idempotency-store.js';
import { PostgresqlMacroStore } from '../../../src/cluster/postgresql/postgresql-macro-store.js';
import { PostgresqlSettingsStore } from '../../../src/cluster/postgresql/postgresql-settings-store.js';
import { PostgresqlSignOnStore } from '../../../src/cluster/postgresql/postgresql-sign-on-store.js';
import { PostgresqlTokenStore } from '../../../src/cluster/postgresql/postgresql-token-store.js';
import { PostgresqlTryStore } from '../../../src/cluster/postgresql/postgresql-try-store.js';
import { PostgresqlUsersDocuments } from '../../../src/cluster/postgresql/postgresql-users-documents.js';
import { ProcessPresence } from '../../../src/cluster/postgresql/process-presence.js';
import { silentLog } from '../../../src/lib/log/log.js';
import type { IdempotencyBounds } from '../../../src/services/idempotency-store.js';
import { auditTrailContract } from '../../access/contract/audit-trail-contract.js';
import { itStoresSettings } from '../../access/contract/settings-store-contract.js';
import { signOnStoreContract } from '../../access/contract/sign-on-store-contract.js';
import { tokenStoreContract } from '../../access/contract/token-store-contract.js';
import { tryStoreContract } from '../../access/contract/try-store-contract.js';
import { LOCK_AFTER, userStoreContract } from '../../access/contract/user-store-contract.js';
import { directoryKeyStoreContract } from '../../macros/contract/directory-key-store-contract.js';
import { macroStoreContract } from '../../macros/contract/macro-store-contract.js';
import { itStoresDrafts } from '../../services/contract/draft-store-contract.js';
import { idempotencyStoreContract } from '../../services/contract/idempotency-store-contract.js';
import { makeCertificate } from '../../support/certificate.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { need } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { itIsADatabaseOfServers } from './database-of-servers.js';
import { itHasOneLimitForAllWaits } from './limit-of-waiting.js';
import { itKeepsManyUsers } from './many-users.js';
import { itIsAStoreOfNodes } from './node-store.js';
import { itCopiesStores } from './store-copies.js';

/** One server for all; each store of a test begins with empty tables, and the one beside it has connections of its own. */
describe('PostgreSQL', () => {
  let server: PostgresqlServer;
  let nodes: readonly Database[] = [];
  const presences: ProcessPresence[] = [];
  const macroStores: PostgresqlMacroStore[] = [];

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    server = await PostgresqlServer.start(makeCertificate());
    nodes = [new Database(server.definition(), silentLog), new Database(server.definition(), silentLog)];
  });
  after(async () => {
    for (const node of nodes) await node.close();
    await server?.remove();
  });

  const remove = async () => {
    for (const opened of [...presences.splice(0), ...macroStores.splice(0)]) await opened.close();
  };

  /** Two nodes that have the same store. */
  async function stores<Store>(make: (node: Database) => Store) {
    await server.empty();
    const [store, other] = nodes.map(make) as [Store, Store];
    return { store, beside: async () => other, remove };
  }

  userStoreContract('PostgreSQL', () =>
    stores(
      (node) =>
        new DocumentUserStore(new PostgresqlUsersDocuments(node), {
          passwordCost: CHEAP_PASSWORDS,
          log: silentLog,
          lockAfter: LOCK_AFTER,
          lockMinutes: 0,
          tries: new PostgresqlTryStore(node, 'user'),
        }),
    ),
  );

  auditTrailContract('PostgreSQL', async () => {
    const { store: audit, ...others } = await stores((node) => new PostgresqlAuditTrail(node));
    return { audit, ...others };
  });

  signOnStoreContract('PostgreSQL', (mostOfUser) =>
    stores((node) => new PostgresqlSignOnStore(node, 'portal', mostOfUser)),
  );
  tryStoreContract('PostgreSQL', () => stores((node) => new PostgresqlTryStore(node, 'address')));
  directoryKeyStoreContract('PostgreSQL', () => stores((node) => new PostgresqlDirectoryKeyStore(node)));
  macroStoreContract('PostgreSQL', () =>
    stores((node) => {
      const store = new PostgresqlMacroStore(node);
      macroStores.push(store);
      return store;
    }),
  );

  tokenStoreContract('PostgreSQL', async () => {
    const fill = async (tokens: readonly TokenRecord[]) => {
      const rows = tokens.map(
        ({ name, hash, created, expires }) => `('${name}', '${name}', '${hash}', '{}', '${created}', '${expires}')`,
      );
      await server.run(
        `insert into sallyport.tokens (folded, name, hash, scopes, created, expires) values ${rows.join()}`,
      );
    };
    return { ...(await stores((node) => new PostgresqlTokenStore(node))), fill };
  });

  describe('as a store of settings', () => {
    itStoresSettings(() => stores((node) => new PostgresqlSettingsStore(node)));
  });

  describe('as a store of drafts', () => {
    itStoresDrafts(() => stores((node) => new PostgresqlDraftStore(node)));
  });

  idempotencyStoreContract('PostgreSQL', async (bounds?: IdempotencyBounds) => {
    const open = (node: Database) => {
      const presence = new ProcessPresence(server.definition());
      presences.push(presence);
      return new PostgresqlIdempotencyStore(node, presence, bounds);
    };
    const { store } = await stores(open);
    const again = async () => {
      for (const presence of presences.splice(0)) await presence.close();
      const [, other] = nodes;
      if (other === undefined) throw new Error('there is no other node');
      return open(other);
    };
    return { store, again, remove };
  });

  describe('as the database of servers', () => itIsADatabaseOfServers(() => server));
  describe('as what servers wait for', () => itHasOneLimitForAllWaits(() => server));
  describe('as a store of many users', () => itKeepsManyUsers(() => server));
  describe('as a store of nodes', () => itIsAStoreOfNodes(() => server));
  describe('copies of what is stored', () => itCopiesStores(() => server));
});
