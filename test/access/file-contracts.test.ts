import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../src/access/tokens/file-token-store.js';
import { FileUserStore } from '../../src/access/users/file-user-store.js';
import { silentLog } from '../../src/lib/log/log.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { auditTrailContract } from './contract/audit-trail-contract.js';
import { tokenStoreContract } from './contract/token-store-contract.js';
import { LOCK_AFTER, userStoreContract } from './contract/user-store-contract.js';

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'sallyport-contract-'));

userStoreContract('the file of users and groups', async () => {
  const folder = temporaryFolder();
  const beside = async () => {
    const file = join(folder, 'security.yaml');
    const database = new FileUserStore({
      passwordCost: CHEAP_PASSWORDS,
      file,
      log: silentLog,
      lockAfter: LOCK_AFTER,
      lockMinutes: 0,
    });
    await database.open();
    return database;
  };
  return { store: await beside(), beside, remove: async () => rmSync(folder, { recursive: true }) };
});

auditTrailContract('the file of the audit trail', async () => {
  const folder = temporaryFolder();
  const beside = async () => new FileAuditTrail({ file: join(folder, 'audit.jsonl') });
  return { audit: await beside(), beside, remove: async () => rmSync(folder, { recursive: true }) };
});

tokenStoreContract('the file of tokens', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tokens.json');
  return {
    store: new FileTokenStore(file),
    beside: async () => new FileTokenStore(file),
    fill: async (tokens) => writeFileSync(file, JSON.stringify({ tokens })),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
