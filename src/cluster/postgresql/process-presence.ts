import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { ClusterChange } from '../nodes/node-store.js';
import type { DatabaseDefinition } from './database-definition.js';
import { DatabaseHosts } from './database-hosts.js';
import { lockOf } from './database-lock.js';
import { refuseReadOnly } from './migrate.js';

/** Other programs may use the same database. */
const CHANGES_CHANNEL = 'sallyport_changes';

/** An expression that has all processes told that something has changed, when the statement or transaction that it is part of is kept. */
export function toldChange(what: ClusterChange): string {
  return `pg_notify('${CHANGES_CHANNEL}', '${what}')`;
}

/** How often the connection is tried, and how long it may take to answer: a host that has vanished does not end it. */
const TRY_MILLISECONDS = 3_000;
const ANSWER_MILLISECONDS = 5_000;

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
  readonly #hosts: DatabaseHosts;
  #held: Promise<pg.Client> | undefined;
  #changed: (what: string | undefined) => void = () => {};
  #triedAt = 0;

  constructor(definition: DatabaseDefinition) {
    this.#hosts = new DatabaseHosts(definition);
  }

  /** Resolves when others see it; again where the connection has ended meanwhile. */
  async show(): Promise<void> {
    this.#held ??= this.#begin();
    const client = await this.#held;
    if (performance.now() - this.#triedAt >= TRY_MILLISECONDS) void this.#try(client);
  }

  /** @param changed undefined: anything may have changed, while nothing was heard */
  listen(changed: (what: string | undefined) => void): void {
    this.#changed = changed;
  }

  async close(): Promise<void> {
    const client = await this.#held?.catch(() => undefined);
    await client?.end();
  }

  async #try(client: pg.Client): Promise<void> {
    const held = this.#held;
    this.#triedAt = Number.POSITIVE_INFINITY;
    const query = { text: 'select', query_timeout: ANSWER_MILLISECONDS };
    const isThere = await client.query(query).then(
      () => true,
      () => false,
    );
    this.#triedAt = performance.now();
    if (isThere) return;
    if (this.#held === held) this.#held = undefined;
    client.end().catch(() => {});
  }

  #begin(): Promise<pg.Client> {
    const held: Promise<pg.Client> = this.#hold(() => {
      if (this.#held === held) this.#held = undefined;
    });
    return held;
  }

  /** @param over the connection has ended, or there was none */
  async #hold(over: () => void): Promise<pg.Client> {
    let client: pg.Client | undefined;
    // a connection that is over holds neither a place nor the lock, and says nothing about the next one
    const ended = () => {
      over();
      client?.end().catch(() => {});
    };
    try {
      client = await this.#hosts.open(refuseReadOnly);
      client.on('error', ended);
      client.on('end', ended);
      client.on('notification', ({ payload }) => this.#changed(payload));
      await client.query(`LISTEN ${CHANGES_CHANNEL}`);
      await client.query(`SELECT pg_advisory_lock(${lockOf('processes')[0]}, ${this.number})`);
      this.#triedAt = performance.now();
      this.#changed(undefined);
      return client;
    } catch (error) {
      ended();
      throw error;
    }
  }
}
