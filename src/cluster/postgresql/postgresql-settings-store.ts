import { foldedName } from '../../access/users/security-name.js';
import { type SettingsStore, settingsKey, settingsTag } from '../../access/users/settings-store.js';
import { OrderedWork } from '../../macros/ordered-work.js';
import type { Database, StoreDatabase } from './database.js';

const MOST_CHANGES = 100;

export class PostgresqlSettingsStore implements SettingsStore {
  readonly #database: StoreDatabase;
  readonly #work = new OrderedWork(MOST_CHANGES);

  constructor(database: Database) {
    this.#database = database.for('SVC_ERR_STORE_UNAVAILABLE');
  }

  async read(user: string) {
    const [found] = await this.#database.query<{ text: Buffer; etag: string }>(
      'select text, etag from sallyport.settings where user_key = $1',
      [settingsKey(user)],
    );
    return found === undefined ? undefined : { text: found.text.toString(), etag: found.etag };
  }

  write(user: string, text: string, expected: string | null | undefined) {
    return this.#work.run(foldedName(user), async () => {
      const etag = settingsTag(text);
      const values: readonly unknown[] = [settingsKey(user), Buffer.from(text), etag];
      const written =
        typeof expected === 'string'
          ? await this.#database.query(
              'update sallyport.settings set text = $2, etag = $3 where user_key = $1 and etag = $4 returning etag',
              [...values, expected.replaceAll('\0', '')],
            )
          : await this.#database.query(
              `insert into sallyport.settings (user_key, text, etag) values ($1, $2, $3) on conflict (user_key)
               do ${expected === null ? 'nothing' : 'update set text = excluded.text, etag = excluded.etag'} returning etag`,
              values,
            );
      return written.length === 0 ? ({ kind: 'changed' } as const) : ({ kind: 'stored', etag } as const);
    });
  }

  remove(user: string): Promise<void> {
    return this.#work.run(foldedName(user), async () => {
      await this.#database.query('delete from sallyport.settings where user_key = $1', [settingsKey(user)]);
    });
  }
}
