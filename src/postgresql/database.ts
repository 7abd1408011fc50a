import pg from 'pg';
import type { ErrorCode } from '../errors.js';
import type { Log } from '../log.js';
import { steadyNow } from '../security/steady-clock.js';
import { connectionSettings } from './connection-settings.js';
import { DatabaseClock } from './database-clock.js';
import { type DatabaseDefinition, MOST_WAITING_STATEMENTS } from './database-definition.js';
import { unavailable } from './database-error.js';
import type { DatabaseLock } from './database-lock.js';
import { DatabaseWrites } from './database-writes.js';
import { HeldConnection } from './held-connection.js';
import { checkConnection, faultOfNewer, type SchemaVersion } from './schema-version.js';

export interface Statements {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** A change that waits for others while it holds its lock. */
export interface Change extends Statements {
  /** Resolves when the change is kept. */
  commit(): Promise<void>;
}

/** Statements of one store: what the database cannot do now is thrown with the store's code. */
export interface StoreDatabase extends Statements {
  readonly clock: DatabaseClock;
  /** All or nothing. Nothing else is waited for in it. */
  transaction<T>(lock: DatabaseLock, work: (statements: Statements) => Promise<T>): Promise<T>;
  /** The same for what waits for other work, such as an entry in the audit trail. What is not committed is undone. */
  change<T>(lock: DatabaseLock, work: (change: Change) => Promise<T>): Promise<T>;
}

/** More than a page, so that the table needs new room on the disk. It is small, so PostgreSQL soon removes what was rolled back. */
const TRIED_WRITE =
  "insert into sallyport.node_news (at, text) select 0, repeat('tried ', 320) from generate_series(1, 5)";
const LONGEST_IDLE_MILLISECONDS = 60_000;
const LONGEST_LIFE_SECONDS = 600;

/** The connections of a process. Whoever holds one for a change may wait for one for statements, and never the other way round. */
export class Database {
  readonly clock: DatabaseClock;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #statements: pg.Pool;
  readonly #changes: pg.Pool;
  readonly #writes = new DatabaseWrites();
  #schema: SchemaVersion | undefined;

  /** @param now the clock of this process, which nobody sets */
  constructor(definition: DatabaseDefinition, log: Log, now: () => number = steadyNow) {
    this.#log = log;
    this.#now = now;
    this.clock = new DatabaseClock(now);
    const { connections } = definition.limits;
    this.#statements = this.#pool(definition, connections);
    this.#changes = this.#pool(definition, Math.max(2, Math.ceil(connections / 4)));
  }

  /** @param code thrown where the database cannot be used */
  for(code: ErrorCode): StoreDatabase {
    return {
      clock: this.clock,
      query: (text, values) => this.#with(this.#statements, code, (held) => held.query(text, values)),
      transaction: (lock, work) =>
        this.#locked(this.#statements, code, lock, async (change) => {
          const result = await work(change);
          await change.commit();
          return result;
        }),
      change: (lock, work) => this.#locked(this.#changes, code, lock, work),
    };
  }

  /** Why not all of it is known to this Sallyport; undefined: it is, as far as was seen. */
  get newerFault(): string | undefined {
    return this.#schema && faultOfNewer(this.#schema);
  }

  /**
   * The reason why nothing can be written now; undefined: something can. If no entry of the audit trail was written in the last
   * 10 seconds, rows are inserted and rolled back.
   */
  writeFault(): Promise<string | undefined> {
    return this.#writes.fault(() =>
      this.#with(this.#statements, 'SVC_ERR_STORE_UNAVAILABLE', async (held) => {
        try {
          await held.beginUnlocked();
          await held.query(TRIED_WRITE);
        } finally {
          await held.rollBack();
        }
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#statements.end(), this.#changes.end()]);
  }

  #pool(definition: DatabaseDefinition, max: number): pg.Pool {
    const pool = new pg.Pool({
      ...connectionSettings(definition),
      max,
      idleTimeoutMillis: LONGEST_IDLE_MILLISECONDS,
      maxLifetimeSeconds: LONGEST_LIFE_SECONDS,
      onConnect: async (client: pg.ClientBase) => {
        const asked = this.#now();
        const { now, schema } = await checkConnection(client);
        this.#noteSchema(schema);
        this.clock.measured(now, asked, this.#now());
      },
    });
    // of a connection that nobody uses: the next statement opens another
    pool.on('error', (error) => this.#log.warn({ reason: error.message }, 'a connection with PostgreSQL ended'));
    return pool;
  }

  #noteSchema(schema: SchemaVersion): void {
    const words = faultOfNewer(schema);
    if (words !== undefined && this.#schema?.version !== schema.version)
      this.#log.warn(
        { reason: words },
        'the database is that of a newer Sallyport, and this one works with it as before',
      );
    this.#schema = schema;
  }

  async #with<T>(pool: pg.Pool, code: ErrorCode, work: (held: HeldConnection) => Promise<T>): Promise<T> {
    if (pool.waitingCount >= MOST_WAITING_STATEMENTS) {
      throw unavailable(code, new Error(`${pool.waitingCount} statements wait for a connection already`));
    }
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(code, error);
    });
    const held = new HeldConnection(client, code);
    try {
      return await work(held);
    } catch (error) {
      this.#writes.failed(code, error);
      throw error;
    } finally {
      held.release();
    }
  }

  #locked<T>(pool: pg.Pool, code: ErrorCode, lock: DatabaseLock, work: (change: Change) => Promise<T>): Promise<T> {
    return this.#with(pool, code, async (held) => {
      let isOpen = true;
      const change: Change = {
        query: (text, values) => held.query(text, values),
        commit: async () => {
          isOpen = false;
          await held.commit();
          this.#writes.kept(code);
        },
      };
      try {
        await held.begin(lock);
        return await work(change);
      } finally {
        if (isOpen) await held.rollBack();
      }
    });
  }
}
