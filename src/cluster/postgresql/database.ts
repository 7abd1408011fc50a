import pg from 'pg';
import type { ErrorCode } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import { steadyNow } from '../../lib/steady-clock.js';
import { messageOf } from '../../lib/text/messages.js';
import { ConnectionPool, HeldConnection, PooledConnection } from './connection-pool.js';
import type { DatabaseDefinition } from './database-definition.js';
import { reasonOf, unavailable } from './database-error.js';
import { DatabaseHosts } from './database-hosts.js';
import type { DatabaseLock } from './database-lock.js';
import { checkConnection, faultOfNewer, type SchemaVersion } from './migrate.js';
import { limitOf, withinLimit } from './waiting-limit.js';

export interface Statements {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Transaction that waits for other work while it holds its lock. */
export interface Change extends Statements {
  commit(): Promise<void>;
}

/**
 * Statements of one store. Errors of the database get the code of the store. Each query or change has one time limit
 * for all its waits.
 */
export interface StoreDatabase extends Statements {
  readonly clock: DatabaseClock;
  until(): number;
  /** Rolls back if `work` rejects. `work` must not wait for anything else. */
  transaction<T>(lock: DatabaseLock, work: (statements: Statements) => Promise<T>): Promise<T>;
  /** For work that waits, for example for an audit entry. Rolls back unless committed. */
  change<T>(lock: DatabaseLock, work: (change: Change) => Promise<T>): Promise<T>;
  /** Like `transaction`, but with a limit for each statement. For commands that copy everything. */
  longTransaction<T>(lock: DatabaseLock, work: (statements: Statements) => Promise<T>): Promise<T>;
}

/** More than a page, so that PostgreSQL must allocate disk space. Small enough to be vacuumed soon. */
const TRIED_WRITE =
  "insert into sallyport.node_news (at, text) select 0, repeat('tried ', 320) from generate_series(1, 5)";

/**
 * Connections of a process. To avoid deadlocks, a holder of a connection for changes may wait for one for statements,
 * but not the other way round.
 */
export class Database {
  readonly clock: DatabaseClock;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #hosts: DatabaseHosts;
  readonly #statementMilliseconds: number;
  readonly #statements: ConnectionPool;
  readonly #changes: ConnectionPool;
  readonly #writes = new DatabaseWrites();
  #schema: SchemaVersion | undefined;

  constructor(definition: DatabaseDefinition, log: Log, now: () => number = steadyNow) {
    this.#log = log;
    this.#now = now;
    this.clock = new DatabaseClock(now);
    this.#hosts = new DatabaseHosts(definition);
    const { connections, statementMilliseconds } = definition.limits;
    this.#statementMilliseconds = statementMilliseconds;
    this.#statements = this.#pool(connections);
    this.#changes = this.#pool(Math.max(2, Math.ceil(connections / 4)));
  }

  for(code: ErrorCode): StoreDatabase {
    return {
      clock: this.clock,
      until: () => this.#until(),
      query: (text, values) => this.#with(this.#statements, code, (held) => held.query(text, values)),
      transaction: (lock, work) => this.#locked(this.#statements, code, lock, this.#oneLimit(), committed(work)),
      change: (lock, work) => {
        const limit = this.#oneLimit();
        return withinLimit(limit(), (over) =>
          this.#locked(this.#changes, code, lock, limit, (change) =>
            work({
              query: (text, values) => change.query(text, values),
              commit: async () => {
                await change.commit();
                // The limit does not apply to the outcome of a committed change.
                over();
              },
            }),
          ),
        );
      },
      longTransaction: (lock, work) => this.#locked(this.#statements, code, lock, () => this.#until(), committed(work)),
    };
  }

  get newerFault(): string | undefined {
    return this.#schema && faultOfNewer(this.#schema);
  }

  /**
   * Reason why nothing can be written, or undefined. If no audit entry was written in the last 10 seconds, inserts rows
   * and rolls back.
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

  #until(): number {
    return limitOf(this.#statementMilliseconds);
  }

  #oneLimit(): () => number {
    const until = this.#until();
    return () => until;
  }

  #pool(most: number): ConnectionPool {
    const check = async (client: pg.Client) => {
      const asked = this.#now();
      const { now, schema } = await checkConnection(client);
      this.#noteSchema(schema);
      this.clock.measured(now, asked, this.#now());
    };
    const open = async () => new PooledConnection(await this.#hosts.open(check), this.#statementMilliseconds);
    return new ConnectionPool({ most, open, log: this.#log });
  }

  #noteSchema(schema: SchemaVersion): void {
    const words = faultOfNewer(schema);
    if (words !== undefined && this.#schema?.version !== schema.version)
      this.#log.warn({ reason: words }, 'the database has the tables of a newer Sallyport, which this version can use');
    this.#schema = schema;
  }

  async #with<T>(
    pool: ConnectionPool,
    code: ErrorCode,
    work: (held: HeldConnection) => Promise<T>,
    until = this.#oneLimit(),
  ): Promise<T> {
    const connection = await pool.acquire(until()).catch((error: unknown) => {
      throw unavailable(code, error);
    });
    const held = new HeldConnection(connection, code, until);
    try {
      return await work(held);
    } catch (error) {
      this.#writes.failed(code, error);
      throw error;
    } finally {
      held.release();
      pool.release(connection, held.fault);
    }
  }

  #locked<T>(
    pool: ConnectionPool,
    code: ErrorCode,
    lock: DatabaseLock,
    until: () => number,
    work: (change: Change) => Promise<T>,
  ): Promise<T> {
    const changeWith = async (held: HeldConnection) => {
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
    };
    return this.#with(pool, code, changeWith, until);
  }
}

function committed<T>(work: (statements: Statements) => Promise<T>): (change: Change) => Promise<T> {
  return async (change) => {
    const result = await work(change);
    await change.commit();
    return result;
  };
}

/** Smaller differences are ignored, because they are within the accuracy of the measurement. */
const LEAST_MILLISECONDS = 2_000;
/** Slower answers are too inaccurate. */
const LONGEST_MEASUREMENT = 1_000;

/**
 * Difference between the clocks of this process and the database, so that all nodes compare times on one clock.
 * Measured with each new connection.
 */
export class DatabaseClock {
  readonly #now: () => number;
  #offset = 0;
  #isMeasured = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  now(): number {
    return this.toDatabase(this.#now());
  }

  /**
   * @param now time of the database
   * @param asked time of this process before the query
   * @param answered time of this process after the query
   */
  measured(now: number, asked: number, answered: number): void {
    // An inaccurate first measurement is better than none.
    if (this.#isMeasured && answered - asked > LONGEST_MEASUREMENT) return;
    this.#isMeasured = true;
    const offset = Math.round(now - (asked + answered) / 2);
    this.#offset = Math.abs(offset) < LEAST_MILLISECONDS ? 0 : offset;
  }

  toDatabase(milliseconds: number): number {
    return milliseconds + this.#offset;
  }

  fromDatabase(milliseconds: number): number {
    return milliseconds - this.#offset;
  }
}

/** How long a failed write is reported, and how long the last audit entry makes a test write unnecessary. */
const REMEMBERED_MILLISECONDS = 10_000;
/** SQLSTATE of errors that affect every write: resources, system errors, a read-only database. */
const OF_EVERY_WRITE = /^(?:53|58|XX|25006)/;

class DatabaseWrites {
  readonly #now: () => number;
  readonly #failed = new Map<ErrorCode, { readonly reason: string; readonly at: number }>();
  #triedAt = Number.NEGATIVE_INFINITY;
  #tried: string | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  kept(code: ErrorCode): void {
    this.#failed.delete(code);
    // Audit entries always need new disk space. Other tables reuse the space of deleted rows.
    if (code === 'SVC_ERR_AUDIT_UNAVAILABLE') this.#noteTry(undefined);
  }

  failed(code: ErrorCode, error: unknown): void {
    const cause = error instanceof Error && error.cause instanceof pg.DatabaseError ? error.cause : undefined;
    if (cause === undefined || !OF_EVERY_WRITE.test(cause.code ?? '')) return;
    this.#failed.set(code, { reason: reasonOf(cause), at: this.#now() });
  }

  /**
   * @param tryWrite writes and rolls back
   * @returns the reason why nothing can be written, or undefined
   */
  async fault(tryWrite: () => Promise<void>): Promise<string | undefined> {
    if (this.#tried !== undefined || this.#now() - this.#triedAt >= REMEMBERED_MILLISECONDS) {
      await tryWrite().then(
        () => this.#noteTry(undefined),
        (error: unknown) => this.#noteTry(messageOf(error)),
      );
    }
    return this.#tried ?? this.#failure;
  }

  #noteTry(fault: string | undefined): void {
    this.#triedAt = this.#now();
    this.#tried = fault;
  }

  get #failure(): string | undefined {
    for (const { reason, at } of this.#failed.values()) {
      if (this.#now() - at < REMEMBERED_MILLISECONDS) return `a change could not be kept: ${reason}`;
    }
    return undefined;
  }
}
