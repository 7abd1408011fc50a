import { hashOf } from '../../access/audit/audit-entry.js';
import { foldedName } from '../../access/users/security-name.js';
import { settingsTag } from '../../access/users/settings-store.js';
import type { Statements, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';
import { COUNT_PRESENT } from './process-presence.js';

/** Row in the format of the copy, the same for files and database. */
export type CopiedRow = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** Rows per query. A row of macros may have 2 MiB. */
const ROWS_TOGETHER = 500;
const MACROS_TOGETHER = 10;

interface CopiedTable {
  /** SQL with one JSON column `row`, in key order: `$2` rows, after the first `$1`. */
  readonly select: string;
  insert(statements: Statements, row: CopiedRow): Promise<unknown>;
  finish?(statements: Statements, last: CopiedRow | undefined): Promise<unknown>;
}

const PAGE = 'offset $1 limit $2';

const object = (...columns: readonly string[]) =>
  `json_build_object(${columns.map((column) => `'${column.replace(/.* as /, '')}', ${column.replace(/ as .*/, '')}`).join(', ')})::text as row`;

/** By the names of the file stores. */
const tables = {
  groups: {
    select: `select ${object('name')} from sallyport.groups order by folded collate "C" ${PAGE}`,
    insert: (statements, { name }) =>
      statements.query('insert into sallyport.groups (name, folded) values ($1, $2)', [name, foldedName(`${name}`)]),
    finish: (statements) => statements.query('update sallyport.users_version set version = version + 1'),
  },
  users: {
    select: `select ${object('name', 'role', 'groups', 'password', 'password_set as passwordSet', 'expires', 'locked')}
      from sallyport.users order by folded collate "C" ${PAGE}`,
    insert: (statements, { name, role, groups, password, passwordSet, expires, locked }) =>
      statements.query(
        `insert into sallyport.users (name, folded, role, groups, password, password_set, expires, locked)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [name, foldedName(`${name}`), role, groups, password, passwordSet, expires, locked],
      ),
    finish: (statements) => statements.query('update sallyport.users_version set version = version + 1'),
  },
  tokens: {
    select: `select ${object('name', 'hash', 'scopes', 'created', 'expires', 'last_used as lastUsed')}
      from sallyport.tokens order by folded collate "C" ${PAGE}`,
    insert: (statements, { name, hash, scopes, created, expires, lastUsed }) =>
      statements.query(
        `insert into sallyport.tokens (folded, name, hash, scopes, created, expires, last_used)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [foldedName(`${name}`), name, hash, scopes, created, expires, lastUsed],
      ),
  },
  settings: {
    select: `select ${object('user_key as user', "encode(text, 'hex') as text")} from sallyport.settings order by user_key collate "C" ${PAGE}`,
    insert: (statements, { user, text }) => {
      const bytes = Buffer.from(`${text}`, 'hex');
      return statements.query('insert into sallyport.settings (user_key, text, etag) values ($1, $2, $3)', [
        user,
        bytes,
        settingsTag(bytes.toString()),
      ]);
    },
  },
  drafts: {
    select: `select ${object('draft')} from sallyport.drafts order by id::text collate "C" ${PAGE}`,
    insert: (statements, { draft }) => {
      const { id, user, storedAt } = JSON.parse(`${draft}`) as { id: string; user: string; storedAt: number };
      return statements.query('insert into sallyport.drafts (id, user_key, stored_at, draft) values ($1, $2, $3, $4)', [
        id,
        Buffer.from(user),
        storedAt,
        draft,
      ]);
    },
  },
  macros: {
    select: `select ${object('v.level as level', 'v.name as name', 'v.number as number', 'd.is_there and v.number = d.newest as current', 'v.modified as modified', "encode(v.bytes, 'hex') as bytes")}
      from sallyport.macro_directories d join sallyport.macro_versions v on v.level = d.level and v.name = d.name
      order by v.level collate "C", v.name collate "C", v.number ${PAGE}`,
    insert: async (statements, { level, name, number, current, modified, bytes }) => {
      await statements.query(
        `insert into sallyport.macro_directories (level, name, newest, is_there) values ($1, $2, $3, $4)
         on conflict (level, name) do update set newest = excluded.newest, is_there = excluded.is_there`,
        [level, name, number, current],
      );
      const file = Buffer.from(`${bytes}`, 'hex');
      await statements.query(
        'insert into sallyport.macro_versions (level, name, number, bytes, etag, modified) values ($1, $2, $3, $4, $5, $6)',
        [level, name, number, file, `"${hashOf(file).slice(0, 32)}"`, modified],
      );
    },
  },
  idempotency: {
    select: `select ${object("convert_from(id, 'UTF8') as id", "convert_from(caller, 'UTF8') as caller", "convert_from(content, 'UTF8') as content", 'at', 'answer')}
      from sallyport.idempotency order by at, id ${PAGE}`,
    // Without an owner, requests without an answer count as interrupted.
    insert: (statements, { id, caller, content, at, answer }) =>
      statements.query(
        `with added as (
           insert into sallyport.idempotency (id, caller, content, at, owner, answer, bytes)
           values ($1, $2, $3, $4, 0, $5::text, 200 + coalesce(octet_length($5::text), 0)) returning bytes
         )
         update sallyport.idempotency_total set requests = requests + 1, bytes = bytes + (select bytes from added)`,
        [Buffer.from(`${id}`), Buffer.from(`${caller}`), Buffer.from(`${content}`), at, answer],
      ),
  },
  audit: {
    // Entries are numbered without gaps. An offset would count millions of rows for each page and take hours.
    select: `select ${object('line')} from sallyport.audit_entries where sequence > $1 order by sequence limit $2`,
    insert: (statements, { line }) => {
      const { sequence, intent = null } = JSON.parse(`${line}`) as { sequence: number; intent?: number };
      return statements.query('insert into sallyport.audit_entries (sequence, intent, line) values ($1, $2, $3)', [
        sequence,
        intent,
        line,
      ]);
    },
    finish: async (statements, last) => {
      if (last === undefined) return;
      const { sequence } = JSON.parse(`${last.line}`) as { sequence: number };
      await statements.query('update sallyport.audit_head set sequence = $1, hash = $2', [
        sequence,
        hashOf(`${last.line}`),
      ]);
    },
  },
} as const satisfies Readonly<Record<string, CopiedTable>>;

export type CopiedName = keyof typeof tables;
export const copiedNames = Object.keys(tables) as readonly CopiedName[];

export async function processesOf(statements: Statements): Promise<number> {
  const [counted] = await statements.query<{ processes: number }>(COUNT_PRESENT, []);
  return counted?.processes ?? 0;
}

/** @param work runs in one transaction, so that a killed process leaves nothing */
export function wholeCopy<T>(database: StoreDatabase, work: (statements: Statements) => Promise<T>): Promise<T> {
  return database.longTransaction(lockOf('copies'), async (statements) => {
    // Reading the other side may take long.
    await statements.query('set local idle_in_transaction_session_timeout = 0');
    return work(statements);
  });
}

export class CopiedTables {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async *rows(name: CopiedName): AsyncGenerator<CopiedRow> {
    const together = name === 'macros' ? MACROS_TOGETHER : ROWS_TOGETHER;
    for (let read = 0; ; read += together) {
      const rows = await this.#statements.query<{ row: string }>(tables[name].select, [read, together]);
      for (const { row } of rows) yield JSON.parse(row) as CopiedRow;
      if (rows.length < together) return;
    }
  }

  async write(name: CopiedName, rows: AsyncIterable<CopiedRow>): Promise<void> {
    const table: CopiedTable = tables[name];
    let last: CopiedRow | undefined;
    for await (const row of rows) {
      await table.insert(this.#statements, row);
      last = row;
    }
    await table.finish?.(this.#statements, last);
  }
}
