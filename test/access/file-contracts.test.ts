import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditTrail } from '../../src/access/audit/audit-trail.js';
import { FileTokenStore } from '../../src/access/tokens/file-token-store.js';
import { FileSecurityDatabase } from '../../src/access/users/file-security-database.js';
import { silentLog } from '../../src/lib/log/log.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { auditRecordContract } from './contract/audit-record-contract.js';
import { tokenStoreContract } from './contract/token-store-contract.js';
import { LOCK_AFTER, userStoreContract } from './contract/user-store-contract.js';

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'sallyport-contract-'));

userStoreContract('the file of users and groups', async () => {
  const folder = temporaryFolder();
  const beside = async () => {
    const file = join(folder, 'security.yaml');
    const database = new FileSecurityDatabase({
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

auditRecordContract('the file of the audit trail', async () => {
  const folder = temporaryFolder();
  const beside = async () => new AuditTrail({ file: join(folder, 'audit.jsonl') });
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
