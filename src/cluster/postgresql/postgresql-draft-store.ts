import { type DraftStore, MOST_DRAFTS, MOST_DRAFTS_OF_USER, type ServiceDraft } from '../../services/draft-store.js';
import type { Database, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Stores drafts as JSON, which can escape NUL. Text in PostgreSQL cannot contain it. */
export class PostgresqlDraftStore implements DraftStore {
  readonly #database: StoreDatabase;

  constructor(database: Database) {
    this.#database = database.for('SVC_ERR_STORE_UNAVAILABLE');
  }

  add(draft: ServiceDraft): Promise<boolean> {
    return this.#database.transaction(lockOf('drafts'), async (statements) => {
      const user = Buffer.from(draft.user);
      const [{ all, own } = { all: 0, own: 0 }] = await statements.query<{ all: number; own: number }>(
        'select count(*) as "all", count(*) filter (where user_key = $1) as own from sallyport.drafts',
        [user],
      );
      if (all >= MOST_DRAFTS || own >= MOST_DRAFTS_OF_USER) return false;
      await statements.query('insert into sallyport.drafts (id, user_key, stored_at, draft) values ($1, $2, $3, $4)', [
        draft.id,
        user,
        draft.storedAt,
        JSON.stringify(draft),
      ]);
      return true;
    });
  }

  async list(): Promise<readonly ServiceDraft[]> {
    const rows = await this.#database.query<{ draft: string }>(
      'select draft from sallyport.drafts order by stored_at desc, id',
    );
    return rows.map(({ draft }) => JSON.parse(draft) as ServiceDraft);
  }

  async read(id: string): Promise<ServiceDraft | undefined> {
    if (!ID.test(id)) return undefined;
    const [found] = await this.#database.query<{ draft: string }>('select draft from sallyport.drafts where id = $1', [
      id,
    ]);
    return found === undefined ? undefined : (JSON.parse(found.draft) as ServiceDraft);
  }

  async remove(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    const removed = await this.#database.query('delete from sallyport.drafts where id = $1 returning id', [id]);
    return removed.length > 0;
  }
}
