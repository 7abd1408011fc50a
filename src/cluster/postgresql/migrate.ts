import type pg from 'pg';
import type { DatabaseDefinition } from './database-definition.js';
import { reasonOf } from './database-error.js';
import { DatabaseHosts } from './database-hosts.js';
import { grantsOf, migrations } from './migrations.js';

/** Advisory lock against concurrent migrations. */
const MIGRATION_LOCK = '1396788300, 1';

export interface MigrationOutcome {
  readonly before: number;
  readonly after: number;
}

/**
 * Creates or upgrades the schema. Each step is atomic.
 * @param role gets the minimum privileges for the server
 * @throws Error if the schema is newer. Errors of PostgreSQL are passed on.
 */
export async function migrate(definition: DatabaseDefinition, role?: string): Promise<MigrationOutcome> {
  const hosts = new DatabaseHosts(definition);
  const client: pg.Client = await hosts.open(refuseReadOnly).catch((error: unknown) => {
    throw new Error(reasonOf(error), { cause: error });
  });
  try {
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await client.query(`
      create schema if not exists sallyport;
      create table if not exists sallyport.schema_version (
        only_row boolean primary key default true check (only_row), version integer not null
      );
      alter table sallyport.schema_version add column if not exists least integer not null default 0;
      insert into sallyport.schema_version (version) values (0) on conflict do nothing`);
    const found = await versionOf(client);
    const before = found.version;
    const fault = faultOfNewer(found);
    if (fault !== undefined) throw new Error(fault);
    for (const [at, { statements, least }] of migrations.entries()) {
      if (at < before) continue;
      // Several statements without parameters run as one transaction.
      await client.query(`${statements}; update sallyport.schema_version set version = ${at + 1}, least = ${least}`);
    }
    if (role !== undefined) await client.query(grantsOf(client.escapeIdentifier(role)));
    return { before, after: SCHEMA_VERSION };
  } finally {
    await client.end();
  }
}

const SCHEMA_VERSION = migrations.length;

/** 0 if there is no schema. */
export interface SchemaVersion {
  readonly version: number;
  /** Servers for this schema version or a later one can use the schema. */
  readonly least: number;
}

const READ_ONLY = 'the database is read-only: it is a standby, or is configured as read-only';

export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: string }>(
    `select current_setting('transaction_read_only') as "isReadOnly"`,
  );
  if (rows[0]?.isReadOnly !== 'off') throw new Error(READ_ONLY);
}

/**
 * @returns the time of the database, in milliseconds since 1970, and its schema
 * @throws Error if the database cannot be used
 */
export async function checkConnection(
  client: pg.ClientBase,
): Promise<{ readonly now: number; readonly schema: SchemaVersion }> {
  const { rows } = await client.query<{ now: number; isReadOnly: string; hasSchema: boolean }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::int8 as now,
      current_setting('transaction_read_only') as "isReadOnly",
      to_regclass('sallyport.schema_version') is not null as "hasSchema"`,
  );
  const [{ now, isReadOnly, hasSchema } = { now: 0, isReadOnly: 'on', hasSchema: false }] = rows;
  if (isReadOnly === 'on') throw new Error(READ_ONLY);
  const schema = hasSchema ? await versionOf(client) : { version: 0, least: 0 };
  const fault = faultOfVersion(schema);
  if (fault !== undefined) throw new Error(fault);
  return { now, schema };
}

async function versionOf(client: pg.ClientBase): Promise<SchemaVersion> {
  // Early schema versions have no column `least`.
  const { rows } = await client.query<SchemaVersion>(
    "select version, coalesce((to_jsonb(found)->>'least')::integer, version) as least from sallyport.schema_version as found",
  );
  return rows[0] ?? { version: 0, least: 0 };
}

function faultOfVersion({ version, least }: SchemaVersion): string | undefined {
  if (version >= SCHEMA_VERSION && least <= SCHEMA_VERSION) return undefined;
  return version < SCHEMA_VERSION
    ? `${ofVersion(version)}: run sallyport store migrate`
    : newerWords({ version, least });
}

/** Reason why this version must not migrate or copy the schema: it may contain unknown data. */
export function faultOfNewer(found: SchemaVersion): string | undefined {
  return found.version > SCHEMA_VERSION ? newerWords(found) : undefined;
}

function newerWords({ version, least }: SchemaVersion): string {
  return `${ofVersion(version)}: a newer Sallyport created it, for servers of version ${least} and later`;
}

function ofVersion(version: number): string {
  return `its schema has version ${version}, and this Sallyport works with version ${SCHEMA_VERSION}`;
}
