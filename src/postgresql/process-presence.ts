import { randomInt } from 'node:crypto';
import pg from 'pg';
import { connectionSettings } from './connection-settings.js';
import type { DatabaseDefinition } from './database-definition.js';
import { lockOf } from './database-lock.js';
import { CHANGES_CHANNEL } from './told-change.js';

/** Whether the process of that number is there: SQL, with the number in the column `owner`. */
export const IS_PRESENT = `exists (select from pg_locks where locktype = 'advisory' and granted
  and classid = ${lockOf('processes')[0]} and objid = owner and database = (select oid from pg_database where datname = current_database()))`;

/** How many processes are there: SQL, in the column `processes`. */
export const COUNT_PRESENT = `select count(*)::int as processes from pg_locks where locktype = 'advisory' and granted
  and classid = ${lockOf('processes')[0]} and database = (select oid from pg_database where datname = current_database())`;

/**
 * A number of this process that others can see as long as it is there: a lock, held by a connection of its own. Over the same
 * connection it hears what others have changed.
 */
export class ProcessPresence {
  readonly number = randomInt(1, 2 ** 31);
  readonly #definition: DatabaseDefinition;
  #held: Promise<pg.Client> | undefined;
  #changed: (what: string | undefined) => void = () => {};

  constructor(definition: DatabaseDefinition) {
    this.#definition = definition;
  }

  /** Resolves when others see it; again where the connection has ended meanwhile. */
  async show(): Promise<void> {
    this.#held ??= this.#begin();
    await this.#held;
  }

  /** @param changed undefined: anything may have changed, while nothing was heard */
  listen(changed: (what: string | undefined) => void): void {
    this.#changed = changed;
  }

  async close(): Promise<void> {
    const client = await this.#held?.catch(() => undefined);
    await client?.end();
  }

  #begin(): Promise<pg.Client> {
    const client = new pg.Client(connectionSettings(this.#definition));
    // one that is over holds neither a connection nor the lock, and says nothing of the one behind it
    const over = () => {
      if (this.#held === held) this.#held = undefined;
      client.end().catch(() => {});
    };
    client.on('error', over);
    client.on('end', over);
    const held = this.#hold(client).catch((error: unknown) => {
      over();
      throw error;
    });
    return held;
  }

  async #hold(client: pg.Client): Promise<pg.Client> {
    await client.connect();
    client.on('notification', ({ payload }) => this.#changed(payload));
    await client.query(`LISTEN ${CHANGES_CHANNEL}`);
    await client.query(`SELECT pg_advisory_lock(${lockOf('processes')[0]}, ${this.number})`);
    this.#changed(undefined);
    return client;
  }
}
