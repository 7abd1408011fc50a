import type pg from 'pg';
import { migrations } from './migrations.js';

/** The version of the schema that this Sallyport works with. */
export const SCHEMA_VERSION = migrations.length;

/**
 * Looks whether a connection can be worked with.
 * @returns the time of the database, in milliseconds since 1970
 * @throws Error in words where it cannot
 */
export async function checkConnection(client: pg.ClientBase): Promise<{ readonly now: number }> {
  const { rows } = await client.query<{ now: number; isReadOnly: string; hasSchema: boolean }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::int8 as now,
      current_setting('transaction_read_only') as "isReadOnly",
      to_regclass('sallyport.schema_version') is not null as "hasSchema"`,
  );
  const [{ now, isReadOnly, hasSchema } = { now: 0, isReadOnly: 'on', hasSchema: false }] = rows;
  if (isReadOnly === 'on') throw new Error('the database can only be read: it is a standby, or was told so');
  const fault = faultOfVersion(hasSchema ? await versionOf(client) : 0);
  if (fault !== undefined) throw new Error(fault);
  return { now };
}

export async function versionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>('select version from sallyport.schema_version');
  return rows[0]?.version ?? 0;
}

/** Why a schema of that version cannot be worked with. */
export function faultOfVersion(version: number): string | undefined {
  if (version === SCHEMA_VERSION) return undefined;
  const words = `its schema has version ${version}, and this Sallyport works with version ${SCHEMA_VERSION}`;
  return version < SCHEMA_VERSION ? `${words}: run sallyport store migrate` : `${words}: a newer Sallyport has made it`;
}
