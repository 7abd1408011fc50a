import {
  factsOfToken,
  MOST_TOKENS,
  type RecordTokenChange,
  type TokenRecord,
  type TokenStore,
} from '../../access/tokens/token-store.js';
import { refusedChange } from '../../access/users/security-change.js';
import { compareNames, foldedName } from '../../access/users/security-name.js';
import type { Database, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';

type TokenRow = Omit<TokenRecord, 'lastUsed'> & { readonly lastUsed: string | null };

const COLUMNS = 'name, hash, scopes, created, expires, last_used as "lastUsed"';

export class PostgresqlTokenStore implements TokenStore {
  readonly #database: StoreDatabase;

  constructor(database: Database) {
    this.#database = database.for('SVC_ERR_SECURITY_UNAVAILABLE');
  }

  add(token: TokenRecord, record: RecordTokenChange): Promise<void> {
    return this.#database.change(lockOf('tokens'), async (change) => {
      const tokens = await change.query<{ folded: string; name: string }>('select folded, name from sallyport.tokens');
      const taken = tokens.find(({ folded }) => folded === foldedName(token.name));
      if (taken !== undefined) throw refusedChange('token.exists', { name: taken.name });
      if (tokens.length >= MOST_TOKENS) throw refusedChange('token.most', { most: MOST_TOKENS });
      await record({ before: undefined, after: factsOfToken(token) }, async () => {
        const { name, hash, scopes, created, expires, lastUsed = null } = token;
        await change.query(
          `insert into sallyport.tokens (folded, name, hash, scopes, created, expires, last_used)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [foldedName(name), name, hash, scopes, created, expires, lastUsed],
        );
        await change.commit();
      });
    });
  }

  remove(name: string, record: RecordTokenChange): Promise<void> {
    return this.#database.change(lockOf('tokens'), async (change) => {
      const [found] = await change.query<TokenRow>(`select ${COLUMNS} from sallyport.tokens where folded = $1`, [
        foldedName(name).replaceAll('\0', ''),
      ]);
      if (found === undefined) throw refusedChange('token.unknown', { name: name.slice(0, 70) });
      await record({ before: factsOfToken(tokenOf(found)), after: undefined }, async () => {
        await change.query('delete from sallyport.tokens where hash = $1', [found.hash]);
        await change.commit();
      });
    });
  }

  async list(): Promise<readonly TokenRecord[]> {
    const rows = await this.#database.query<TokenRow>(`select ${COLUMNS} from sallyport.tokens`);
    return rows.map(tokenOf).sort((one, other) => compareNames(one.name, other.name));
  }

  async find(hash: string): Promise<TokenRecord | undefined> {
    const [found] = await this.#database.query<TokenRow>(`select ${COLUMNS} from sallyport.tokens where hash = $1`, [
      hash,
    ]);
    return found === undefined ? undefined : tokenOf(found);
  }

  async used(hash: string, now: string): Promise<void> {
    await this.#database.query(
      'update sallyport.tokens set last_used = $2 where hash = $1 and (last_used is null or last_used < $2)',
      [hash, now],
    );
  }
}

function tokenOf({ lastUsed, ...row }: TokenRow): TokenRecord {
  return { ...row, lastUsed: lastUsed ?? undefined };
}
