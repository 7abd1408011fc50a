import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { ClusterChange } from '../nodes/node-store.js';
import type { DatabaseDefinition } from './database-definition.js';
import { DatabaseHosts } from './database-hosts.js';
import { lockOf } from './database-lock.js';
import { refuseReadOnly } from './migrate.js';

/** Other programs may use the same database. */
const CHANGES_CHANNEL = 'sallyport_changes';

/** SQL expression that notifies all processes when its transaction commits. */
export function toldChange(what: ClusterChange): string {
  return `pg_notify('${CHANGES_CHANNEL}', '${what}')`;
}

/** Interval and limit of connection checks. They detect a host that is down. */
const TRY_MILLISECONDS = 3_000;
const ANSWER_MILLISECONDS = 5_000;

/** SQL: true if the process with the number in column `owner` holds its lock. */
export const IS_PRESENT = `exists (select from pg_locks where locktype = 'advisory' and granted
  and classid = ${lockOf('processes')[0]} and objid = owner and database = (select oid from pg_database where datname = current_database()))`;

export const COUNT_PRESENT = `select count(*)::int as processes from pg_locks where locktype = 'advisory' and granted
  and classid = ${lockOf('processes')[0]} and database = (select oid from pg_database where datname = current_database())`;

/**
 * Registers this process with a number that others can see: an advisory lock on a separate connection. The connection
 * also receives notifications of changes.
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

  /** Resolves when the lock is held. Reconnects if necessary. */
  async show(): Promise<void> {
    this.#held ??= this.#begin();
    const client = await this.#held;
    if (performance.now() - this.#triedAt >= TRY_MILLISECONDS) void this.#try(client);
  }

  /** @param changed called with undefined if changes may have been missed */
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

  async #hold(over: () => void): Promise<pg.Client> {
    let client: pg.Client | undefined;
    // Frees the slot of an ended connection, which has lost the lock.
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
