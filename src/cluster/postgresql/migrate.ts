import type pg from 'pg';
import type { DatabaseDefinition } from './database-definition.js';
import { reasonOf } from './database-error.js';
import { DatabaseHosts } from './database-hosts.js';
import { grantsOf, migrations } from './migrations.js';
import { faultOfNewer, refuseReadOnly, SCHEMA_VERSION, versionOf } from './schema-version.js';

/** One that migrates at a time; any two numbers that nobody else uses. */
const MIGRATION_LOCK = '1396788300, 1';

export interface MigrationOutcome {
  readonly before: number;
  readonly after: number;
}

/**
 * Makes the schema, or brings it to the version of this Sallyport; each step as one, or not at all.
 * @param role who is to work with it: given what that needs, and no more
 * @throws Error in words where the schema is a newer one; what PostgreSQL throws
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
      // several statements without parameters are one transaction
      await client.query(`${statements}; update sallyport.schema_version set version = ${at + 1}, least = ${least}`);
    }
    if (role !== undefined) await client.query(grantsOf(client.escapeIdentifier(role)));
    return { before, after: SCHEMA_VERSION };
  } finally {
    await client.end();
  }
}
