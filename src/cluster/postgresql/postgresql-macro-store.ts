import { foldedName, isSecurityName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import { MOST_STORE_OPERATIONS } from '../../macros/file-macro-store.js';
import { checkMacroFile } from '../../macros/macro-check.js';
import type { MacroDirectory, MacroLevel } from '../../macros/macro-directory.js';
import {
  etagOf,
  KEPT_VERSIONS,
  type MacroChange,
  type MacroChangeOptions,
  type MacroStore,
  type MacroVersion,
  type RecordMacroChange,
  type StoredMacroDirectory,
  type StoredMacros,
} from '../../macros/macro-store.js';
import { OrderedWork } from '../../macros/ordered-work.js';
import type { Change, Database, Statements, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';

const unrecorded: RecordMacroChange = (_change, make) => make();

/** Level and folded name. The name is empty for all users. */
type Place = readonly [MacroLevel, string];

interface VersionRow {
  readonly number: number;
  readonly bytes: Buffer;
  readonly etag: string;
  readonly modified: number;
}

/** The current version is the newest one, unless it was deleted. */
const CURRENT = `from sallyport.macro_directories d join sallyport.macro_versions v
  on v.level = d.level and v.name = d.name and v.number = d.newest and d.is_there`;

export class PostgresqlMacroStore implements MacroStore {
  readonly #database: StoreDatabase;
  /** Keeps the order of calls in this process. The database separates the work of several processes. */
  readonly #work = new OrderedWork(MOST_STORE_OPERATIONS);

  constructor(database: Database) {
    this.#database = database.for('SVC_ERR_STORE_UNAVAILABLE');
  }

  async close(): Promise<void> {
    await this.#work.close();
  }

  async read(directory: MacroDirectory): Promise<StoredMacros | undefined> {
    return currentOf(this.#database, placeOf(directory));
  }

  async write(directory: MacroDirectory, bytes: Uint8Array, options: MacroChangeOptions = {}): Promise<MacroChange> {
    const place = placeOf(directory);
    const { expected, record = unrecorded } = options;
    // The caller may change the bytes while they wait.
    const copy = Buffer.from(bytes);
    return this.#work.run(place.join('/'), async () => {
      await checkMacroFile(copy, place.join('/'));
      return this.#change(place, async (change) => {
        const before = await expectedOf(change, place, expected);
        // Unchanged files create no version. Otherwise a nightly upload would displace all other versions.
        if (before?.bytes.equals(copy) === true)
          return record({ before, after: before }, async () => ({ before, after: before }));
        return this.#recordedAdd(change, place, before, copy, record);
      });
    });
  }

  async versions(directory: MacroDirectory): Promise<readonly MacroVersion[]> {
    const rows = await this.#database.query<Omit<MacroVersion, 'modified'> & { readonly modified: number }>(
      `select v.number, v.etag, length(v.bytes) as size, v.modified, d.is_there and v.number = d.newest as current
       from sallyport.macro_directories d join sallyport.macro_versions v on v.level = d.level and v.name = d.name
       where d.level = $1 and d.name = $2 order by v.number desc`,
      placeOf(directory),
    );
    return rows.map((row) => ({ ...row, modified: new Date(row.modified) }));
  }

  async readVersion(directory: MacroDirectory, number: number): Promise<StoredMacros | undefined> {
    return versionOf(this.#database, placeOf(directory), number);
  }

  async restore(
    directory: MacroDirectory,
    number: number,
    { expected, record = unrecorded }: MacroChangeOptions = {},
  ): Promise<MacroChange> {
    const place = placeOf(directory);
    return this.#work.run(place.join('/'), async () => {
      const version = await versionOf(this.#database, place, number);
      if (version === undefined) {
        throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.noVersion', values: { number } } });
      }
      await checkMacroFile(version.bytes, place.join('/'));
      return this.#change(place, async (change) => {
        const before = await expectedOf(change, place, expected);
        return this.#recordedAdd(change, place, before, version.bytes, record);
      });
    });
  }

  async remove(
    directory: MacroDirectory,
    { expected, record = unrecorded }: MacroChangeOptions = {},
  ): Promise<{ readonly before: StoredMacros | undefined }> {
    const place = placeOf(directory);
    return this.#work.run(place.join('/'), () =>
      this.#change(place, async (change) => {
        const before = await expectedOf(change, place, expected);
        if (before === undefined) return { before };
        await record({ before, after: undefined }, async () => {
          await change.query(
            'update sallyport.macro_directories set is_there = false where level = $1 and name = $2',
            place,
          );
          await change.commit();
        });
        return { before };
      }),
    );
  }

  async list(level: MacroLevel): Promise<readonly StoredMacroDirectory[]> {
    const rows = await this.#database.query<{ name: string; etag: string; size: number; modified: number }>(
      `select d.name, v.etag, length(v.bytes) as size, v.modified ${CURRENT} where d.level = $1 order by d.name collate "C"`,
      [level],
    );
    return rows.map(({ name, etag, size, modified }) => ({
      directory: level === 'global' ? { level } : { level, name },
      etag,
      size,
      modified: new Date(modified),
    }));
  }

  #change<T>(place: Place, work: (change: Change) => Promise<T>): Promise<T> {
    return this.#database.change(lockOf('macros', place.join('/')), work);
  }

  async #recordedAdd(
    change: Change,
    place: Place,
    before: StoredMacros | undefined,
    bytes: Buffer,
    record: RecordMacroChange,
  ): Promise<MacroChange> {
    const etag = etagOf(bytes);
    const after = await record({ before, after: { bytes, etag } }, async () => {
      const modified = this.#database.clock.now();
      const [{ newest } = { newest: 0 }] = await change.query<{ newest: number }>(
        `insert into sallyport.macro_directories as d (level, name, newest, is_there) values ($1, $2, 1, true)
         on conflict (level, name) do update set newest = d.newest + 1, is_there = true returning newest`,
        place,
      );
      await change.query(
        'insert into sallyport.macro_versions (level, name, number, bytes, etag, modified) values ($1, $2, $3, $4, $5, $6)',
        [...place, newest, bytes, etag, modified],
      );
      await change.query('delete from sallyport.macro_versions where level = $1 and name = $2 and number < $3', [
        ...place,
        newest - KEPT_VERSIONS,
      ]);
      await change.commit();
      return { bytes, etag, modified: new Date(modified) };
    });
    return { before, after };
  }
}

function placeOf(directory: MacroDirectory): Place {
  if (directory.level === 'global') return ['global', ''];
  const isLevel = directory.level === 'group' || directory.level === 'user';
  if (!isLevel || !isSecurityName(directory.name)) {
    throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.directoryName' } });
  }
  return [directory.level, foldedName(directory.name)];
}

async function currentOf(statements: Statements, place: Place): Promise<StoredMacros | undefined> {
  const [row] = await statements.query<VersionRow>(
    `select v.number, v.bytes, v.etag, v.modified ${CURRENT} where d.level = $1 and d.name = $2`,
    place,
  );
  return storedOf(row);
}

async function versionOf(statements: Statements, place: Place, number: number): Promise<StoredMacros | undefined> {
  if (!Number.isSafeInteger(number)) return undefined;
  const [row] = await statements.query<VersionRow>(
    'select number, bytes, etag, modified from sallyport.macro_versions where level = $1 and name = $2 and number = $3',
    [...place, number],
  );
  return storedOf(row);
}

/** @throws ServiceError SVC_ERR_MACRO_CHANGED if the stored version is not the expected one */
async function expectedOf(
  change: Statements,
  place: Place,
  expected: MacroChangeOptions['expected'],
): Promise<StoredMacros | undefined> {
  const current = await currentOf(change, place);
  if (expected !== undefined && (current?.etag ?? null) !== expected) throw new ServiceError('SVC_ERR_MACRO_CHANGED');
  return current;
}

function storedOf(row: VersionRow | undefined): StoredMacros | undefined {
  return row && { bytes: row.bytes, etag: row.etag, modified: new Date(row.modified) };
}
