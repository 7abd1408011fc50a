import {
  type DirectoryKeyRecord,
  type DirectoryKeyStore,
  MOST_DIRECTORY_KEYS,
  MOST_DIRECTORY_KEYS_OF_HOLDER,
} from '../../macros/directory-key.js';
import type { MacroDirectory } from '../../macros/macro-directory.js';
import type { Database, StoreDatabase } from './database.js';

const KEYS_BETWEEN_SWEEPS = 64;

interface KeyRow {
  readonly id: Buffer;
  readonly holder: Buffer;
  readonly level: MacroDirectory['level'];
  readonly name: string | null;
  readonly identity: string;
  readonly until: number;
}

/** Each process may exceed the limits by KEYS_BETWEEN_SWEEPS. */
export class PostgresqlDirectoryKeyStore implements DirectoryKeyStore {
  readonly #database: StoreDatabase;
  #untilSweep = KEYS_BETWEEN_SWEEPS;

  constructor(database: Database) {
    this.#database = database.for('SVC_ERR_SECURITY_UNAVAILABLE');
  }

  async add({ id, holder, directory, identity, until }: DirectoryKeyRecord, now: number): Promise<void> {
    const { clock } = this.#database;
    const { level } = directory;
    await this.#database.query(
      'insert into sallyport.directory_keys (id, holder, level, name, until, identity) values ($1, $2, $3, $4, $5, $6)',
      [
        Buffer.from(id),
        Buffer.from(holder),
        level,
        directory.level === 'global' ? null : directory.name,
        clock.toDatabase(until),
        identity,
      ],
    );
    await this.#sweep(holder, now);
  }

  async find(id: string, now: number): Promise<DirectoryKeyRecord | undefined> {
    const { clock } = this.#database;
    const [found] = await this.#database.query<KeyRow>(
      'select id, holder, level, name, identity, until from sallyport.directory_keys where id = $1 and until > $2',
      [Buffer.from(id), clock.toDatabase(now)],
    );
    if (found === undefined) return undefined;
    const { level, name, identity } = found;
    return {
      id: found.id.toString(),
      holder: found.holder.toString(),
      directory: level === 'global' ? { level } : { level, name: name ?? '' },
      identity,
      until: clock.fromDatabase(found.until),
    };
  }

  async #sweep(holder: string, now: number): Promise<void> {
    this.#untilSweep -= 1;
    if (this.#untilSweep > 0) return;
    this.#untilSweep = KEYS_BETWEEN_SWEEPS;
    await this.#database.query(
      `delete from sallyport.directory_keys where until <= $1
         or id in (select id from sallyport.directory_keys where holder = $2 order by added desc offset $3)
         or id in (select id from sallyport.directory_keys order by added desc offset $4)`,
      [this.#database.clock.toDatabase(now), Buffer.from(holder), MOST_DIRECTORY_KEYS_OF_HOLDER, MOST_DIRECTORY_KEYS],
    );
  }
}
