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

/** A change that waits for others while it holds its lock. */
export interface Change extends Statements {
  /** Resolves when the change is kept. */
  commit(): Promise<void>;
}

/**
 * Statements of one store: what the database cannot do now is thrown with the store's code. A query and a change have one limit
 * each for everything that they wait for.
 */
export interface StoreDatabase extends Statements {
  readonly clock: DatabaseClock;
  /** Until when something that begins now may wait: a time of `performance.now()`. */
  until(): number;
  /** All or nothing. Nothing else is waited for in it. */
  transaction<T>(lock: DatabaseLock, work: (statements: Statements) => Promise<T>): Promise<T>;
  /** The same for what waits for other work, such as an entry in the audit trail. What is not committed is undone. */
  change<T>(lock: DatabaseLock, work: (change: Change) => Promise<T>): Promise<T>;
  /** As a transaction, but each statement has a limit of its own: for commands that copy everything. */
  longTransaction<T>(lock: DatabaseLock, work: (statements: Statements) => Promise<T>): Promise<T>;
}

/** More than a page, so that the table needs new room on the disk. It is small, so PostgreSQL soon removes what was rolled back. */
const TRIED_WRITE =
  "insert into sallyport.node_news (at, text) select 0, repeat('tried ', 320) from generate_series(1, 5)";

/** The connections of a process. Whoever holds one for a change may wait for one for statements, and never the other way round. */
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

  /** @param now the clock of this process, which nobody sets */
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

  /** @param code thrown where the database cannot be used */
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
                // the outcome of a change that is kept has the time that it needs
                over();
              },
            }),
          ),
        );
      },
      longTransaction: (lock, work) => this.#locked(this.#statements, code, lock, () => this.#until(), committed(work)),
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

  #until(): number {
    return limitOf(this.#statementMilliseconds);
  }

  /** One limit for everything that begins now, whenever it is asked for. */
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
      this.#log.warn(
        { reason: words },
        'the database is that of a newer Sallyport, and this one works with it as before',
      );
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

/** Clocks that are less apart than this are taken for the same: how long an answer takes is measured with them. */
const LEAST_MILLISECONDS = 2_000;
/** An answer that took longer says too little about the time. */
const LONGEST_MEASUREMENT = 1_000;

/**
 * What the clock of this process is behind the one of the database, so that times which several nodes compare are those of
 * one clock. Measured with each new connection.
 */
export class DatabaseClock {
  readonly #now: () => number;
  #offset = 0;
  #isMeasured = false;

  /** @param now the clock of this process, which nobody sets */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Now, by the clock of the database. */
  now(): number {
    return this.toDatabase(this.#now());
  }

  /** @param now of the database; the others of this process, before and after it was asked */
  measured(now: number, asked: number, answered: number): void {
    // one that says little is better than none
    if (this.#isMeasured && answered - asked > LONGEST_MEASUREMENT) return;
    this.#isMeasured = true;
    const offset = Math.round(now - (asked + answered) / 2);
    this.#offset = Math.abs(offset) < LEAST_MILLISECONDS ? 0 : offset;
  }

  /** A time of this process as the database has it. */
  toDatabase(milliseconds: number): number {
    return milliseconds + this.#offset;
  }

  /** A time of the database as this process has it. */
  fromDatabase(milliseconds: number): number {
    return milliseconds - this.#offset;
  }
}

/** How long a failed write counts, and how old the last kept entry may be before a write is tried. */
const REMEMBERED_MILLISECONDS = 10_000;
/** SQLSTATE of faults that concern every write: no room, no resources, a broken disk, a read-only database. */
const OF_EVERY_WRITE = /^(?:53|58|XX|25006)/;

/** The last writes of a process, by the code of their store: what health checks report of them. */
class DatabaseWrites {
  readonly #now: () => number;
  readonly #failed = new Map<ErrorCode, { readonly reason: string; readonly at: number }>();
  #triedAt = Number.NEGATIVE_INFINITY;
  #tried: string | undefined;

  /** @param now milliseconds of a clock that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  kept(code: ErrorCode): void {
    this.#failed.delete(code);
    // every entry needs new room; other tables reuse the room of removed rows
    if (code === 'SVC_ERR_AUDIT_UNAVAILABLE') this.#noteTry(undefined);
  }

  failed(code: ErrorCode, error: unknown): void {
    const cause = error instanceof Error && error.cause instanceof pg.DatabaseError ? error.cause : undefined;
    if (cause === undefined || !OF_EVERY_WRITE.test(cause.code ?? '')) return;
    this.#failed.set(code, { reason: reasonOf(cause), at: this.#now() });
  }

  /**
   * @param tryWrite writes something and takes it back
   * @returns the reason why nothing can be written; undefined: it can
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
