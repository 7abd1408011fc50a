import { foldedName } from '../../access/users/security-name.js';
import type { UserBounds, UserEntry, UsersDocument, UsersDocumentStore } from '../../access/users/users-document.js';
import type { Change, Database, Statements, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';
import { toldChange } from './process-presence.js';

interface UserRow {
  readonly name: string;
  readonly id: string | null;
  readonly role: UserEntry['role'];
  readonly groups: readonly string[];
  readonly password: string | null;
  readonly passwordSet: string | null;
  readonly expires: string | null;
  readonly locked: string | null;
}

interface Known {
  readonly version: number;
  readonly document: UsersDocument;
}

const VERSION = 'select version from sallyport.users_version';

/** Every process keeps all users in memory, about 500 bytes each. */
export const postgresqlUserBounds: UserBounds = { users: 200_000, groups: 10_000 };

/** Changes for which the names of removed users are kept. A process that has missed more reads everything again. */
const REMEMBERED_CHANGES = 1_000;

/**
 * Users and groups as rows. Each process keeps all of them in memory and reads the changed rows if the version has
 * changed.
 */
export class PostgresqlUsersDocuments implements UsersDocumentStore {
  readonly bounds: UserBounds;
  readonly #database: StoreDatabase;
  #known: Known | undefined;
  #reading: Promise<Known> | undefined;

  constructor(database: Database, bounds = postgresqlUserBounds) {
    this.#database = database.for('SVC_ERR_SECURITY_UNAVAILABLE');
    this.bounds = bounds;
  }

  async read(): Promise<UsersDocument> {
    const version = await versionOf(this.#database);
    if (this.#known?.version === version) return this.#known.document;
    // A read that started earlier may have missed a change.
    const reading = (this.#reading ?? Promise.resolve(undefined)).then(async (before) =>
      before !== undefined && before.version >= version ? before : readSince(this.#database, this.#known),
    );
    this.#reading = reading;
    try {
      const known = await reading;
      if (this.#known === undefined || this.#known.version <= known.version) this.#known = known;
      return known.document;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  change<T>(work: (document: UsersDocument, write: (after: UsersDocument) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#database.change(lockOf('users'), async (change) => {
      const version = await versionOf(change);
      const known = this.#known;
      const { document } = known?.version === version ? known : await readSince(change, known);
      return work(document, async (after) => {
        await writeGroups(change, document, after);
        await writeUsers(change, document, after);
        if (version % REMEMBERED_CHANGES === 0) {
          await change.query('delete from sallyport.removed_users where changed <= $1', [version - REMEMBERED_CHANGES]);
        }
        await change.query(`update sallyport.users_version set version = $1 returning ${toldChange('users')}`, [
          version + 1,
        ]);
        await change.commit();
      });
    });
  }
}

async function versionOf(statements: Statements): Promise<number> {
  const [row] = await statements.query<{ version: number }>(VERSION);
  return row?.version ?? 0;
}

/**
 * Reads the changed users, or all, in one statement for a consistent result.
 * @param known undefined: read all
 */
async function readSince(statements: Statements, known: Known | undefined): Promise<Known> {
  const since = known?.version ?? -1;
  const [row] = await statements.query<{
    version: number;
    users: UserRow[] | null;
    removed: string[] | null;
    groups: string[] | null;
    positions: string[] | null;
  }>(
    `select version,
      (select json_agg(json_build_object('name', name, 'id', id, 'role', role, 'groups', groups, 'password', password,
        'passwordSet', password_set, 'expires', expires, 'locked', locked) order by name) from sallyport.users
        where changed > $1) as users,
      (select array_agg(name) from sallyport.removed_users where changed > $1) as removed,
      (select array_agg(name order by position) from sallyport.groups) as groups,
      (select array_agg(position::text order by position) from sallyport.groups) as positions
     from sallyport.users_version`,
    [since],
  );
  const version = row?.version ?? 0;
  // Names of removed users are missing, or the database was restored from a backup.
  if (known !== undefined && (version < since || version - since >= REMEMBERED_CHANGES)) {
    return readSince(statements, undefined);
  }
  const users = { ...known?.document.users };
  for (const name of row?.removed ?? []) delete users[name];
  for (const { name, ...entry } of row?.users ?? []) users[name] = entryOf(entry);
  const groups = row?.groups ?? [];
  // A group that is added again gets another position.
  const groupIds = Object.fromEntries(groups.map((name, at) => [name, row?.positions?.[at] ?? '']));
  return { version, document: { version: 1, groups, groupIds, users } };
}

function entryOf({ id, role, groups, password, passwordSet, expires, locked }: Omit<UserRow, 'name'>): UserEntry {
  return {
    ...(id === null ? {} : { id }),
    role,
    groups,
    ...(password === null ? {} : { password }),
    ...(passwordSet === null ? {} : { passwordSet }),
    ...(expires === null ? {} : { expires }),
    ...(locked === null ? {} : { locked }),
  };
}

async function writeGroups(change: Change, before: UsersDocument, after: UsersDocument): Promise<void> {
  const removed = before.groups.filter((name) => !after.groups.includes(name));
  if (removed.length > 0) await change.query('delete from sallyport.groups where name = any($1)', [removed]);
  const added = after.groups.filter((name) => !before.groups.includes(name));
  for (const name of added) {
    await change.query('insert into sallyport.groups (name, folded) values ($1, $2)', [name, foldedName(name)]);
  }
}

/** Skips entries that are the same object as before. */
async function writeUsers(change: Change, before: UsersDocument, after: UsersDocument): Promise<void> {
  const removed = Object.keys(before.users).filter((name) => after.users[name] === undefined);
  if (removed.length > 0) await change.query('delete from sallyport.users where name = any($1)', [removed]);
  for (const [name, entry] of Object.entries(after.users)) {
    if (before.users[name] === entry) continue;
    const { id = null, role, groups, password = null, passwordSet = null, expires = null, locked = null } = entry;
    await change.query(
      `insert into sallyport.users (name, folded, role, groups, password, password_set, expires, locked, id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (name) do update set role = excluded.role, groups = excluded.groups, password = excluded.password,
         password_set = excluded.password_set, expires = excluded.expires, locked = excluded.locked, id = excluded.id`,
      [name, foldedName(name), role, groups, password, passwordSet, expires, locked, id],
    );
  }
}
