import type pg from 'pg';
import type { ErrorCode } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import { MOST_WAITING_STATEMENTS } from './database-definition.js';
import { errorOfStatement, isUsableAfter, unavailable } from './database-error.js';

const LONGEST_IDLE_MILLISECONDS = 60_000;
const LONGEST_LIFE_MILLISECONDS = 600_000;

export class PooledConnection {
  readonly client: pg.Client;
  readonly #openedAt = performance.now();
  statementMilliseconds: number;

  constructor(client: pg.Client, statementMilliseconds: number) {
    this.client = client;
    this.statementMilliseconds = statementMilliseconds;
  }

  get isOld(): boolean {
    return performance.now() - this.#openedAt >= LONGEST_LIFE_MILLISECONDS;
  }
}

interface Idle {
  readonly connection: PooledConnection;
  readonly ended: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

interface Waiting {
  readonly resolve: (connection: PooledConnection) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

interface PoolOptions {
  readonly most: number;
  readonly open: () => Promise<PooledConnection>;
  readonly log: Log;
}

/**
 * Limits the number of connections. Callers wait in order, each with its own time limit. `pg.Pool` has one limit for
 * all callers and connects to one host only.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #idle: Idle[] = [];
  readonly #waiting: Waiting[] = [];
  #count = 0;
  #opening = 0;
  #ended: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @throws Error at the limit, if too many callers wait, or if no connection can be opened */
  acquire(until: number): Promise<PooledConnection> {
    if (this.#ended !== undefined) return Promise.reject(new Error('the server stops'));
    const idle = this.#takeIdle();
    if (idle !== undefined) return Promise.resolve(idle);
    const waiting = this.#waiting.length - this.#opening;
    if (waiting >= MOST_WAITING_STATEMENTS) {
      return Promise.reject(new Error(`${waiting} statements are already waiting for a connection`));
    }
    return new Promise((resolve, reject) => {
      const late = () => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        reject(new Error('no connection became free or could be opened within the time limit'));
      };
      const timer = setTimeout(late, Math.max(0, until - performance.now()));
      const one: Waiting = { resolve, reject, timer };
      this.#waiting.push(one);
      this.#openMore();
    });
  }

  /** @param fault if given, this connection and the idle connections are closed */
  release(connection: PooledConnection, fault?: Error): void {
    if (fault !== undefined) for (const { connection: idle } of [...this.#idle]) this.#closeIdle(idle);
    if (fault !== undefined || connection.isOld || this.#ended !== undefined) this.#close(connection);
    else this.#give(connection);
  }

  async end(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    for (const { connection } of [...this.#idle]) this.#closeIdle(connection);
    for (const one of this.#waiting.splice(0)) {
      clearTimeout(one.timer);
      one.reject(new Error('the server stops'));
    }
    if (this.#count > 0) await ended;
  }

  #openMore(): void {
    while (this.#ended === undefined && this.#opening < this.#waiting.length && this.#count < this.#options.most) {
      this.#count += 1;
      this.#opening += 1;
      void this.#open();
    }
  }

  async #open(): Promise<void> {
    try {
      const connection = await this.#options.open();
      this.#opening -= 1;
      if (this.#ended !== undefined) this.#close(connection);
      else this.#give(connection);
    } catch (error) {
      this.#opening -= 1;
      const first = this.#waiting.shift();
      clearTimeout(first?.timer);
      first?.reject(error);
      this.#closed();
    }
  }

  #give(connection: PooledConnection): void {
    const first = this.#waiting.shift();
    if (first !== undefined) {
      clearTimeout(first.timer);
      first.resolve(connection);
      return;
    }
    const { client } = connection;
    const ended = (error: Error) => {
      // The next statement opens another connection.
      this.#options.log.warn({ reason: error.message }, 'a connection with PostgreSQL ended');
      this.#closeIdle(connection);
    };
    client.on('error', ended);
    const timer = setTimeout(() => this.#closeIdle(connection), LONGEST_IDLE_MILLISECONDS).unref();
    this.#idle.push({ connection, ended, timer });
  }

  #takeIdle(): PooledConnection | undefined {
    for (let idle = this.#idle.at(-1); idle !== undefined; idle = this.#idle.at(-1)) {
      const { connection } = idle;
      if (connection.isOld) {
        this.#closeIdle(connection);
        continue;
      }
      this.#forgetIdle(connection);
      return connection;
    }
    return undefined;
  }

  #forgetIdle(connection: PooledConnection): boolean {
    const at = this.#idle.findIndex((one) => one.connection === connection);
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (idle === undefined) return false;
    clearTimeout(idle.timer);
    connection.client.off('error', idle.ended);
    return true;
  }

  #closeIdle(connection: PooledConnection): void {
    if (this.#forgetIdle(connection)) this.#close(connection);
  }

  #close({ client }: PooledConnection): void {
    // Not awaited: a host that is down never confirms the end.
    client.end().catch(() => {});
    this.#closed();
  }

  #closed(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#ended?.();
    this.#openMore();
  }
}

/** Tolerance of `statement_timeout`. Smaller changes of the limit are not sent. */
const SLACK_MILLISECONDS = 250;
/** Additional time for PostgreSQL to answer after the limit. Then the connection is closed. */
const ANSWER_MILLISECONDS = 500;

/** A connection in use by one caller. All statements share its time limit. */
export class HeldConnection {
  readonly #connection: PooledConnection;
  readonly #client: pg.Client;
  readonly #code: ErrorCode;
  readonly #until: () => number;
  #ofTransaction: number | undefined;
  #isInTransaction = false;
  #fault: Error | undefined;

  constructor(connection: PooledConnection, code: ErrorCode, until: () => number) {
    this.#connection = connection;
    this.#client = connection.client;
    this.#code = code;
    this.#until = until;
    this.#client.on('error', this.#ended);
  }

  get fault(): Error | undefined {
    return this.#fault;
  }

  async query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const rest = this.#rest();
    if (this.#differs(rest)) await this.#limitTo(rest);
    const { rows } = await this.#ask(text, values);
    return rows as Row[];
  }

  /** Waits for the advisory lock without holding anything but the connection. */
  async begin([one, other]: readonly [number, number]): Promise<void> {
    await this.#begin(`; SELECT pg_advisory_xact_lock(${one | 0}, ${other | 0})`);
  }

  async beginUnlocked(): Promise<void> {
    await this.#begin('');
  }

  async commit(): Promise<void> {
    const { command } = await this.#ask('COMMIT');
    this.#isInTransaction = false;
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK.
    if (command !== 'COMMIT') throw unavailable(this.#code, new Error('the change was rolled back'));
  }

  async rollBack(): Promise<void> {
    if (this.#fault === undefined) await this.#send('ROLLBACK', undefined, ANSWER_MILLISECONDS).catch(() => {});
    this.#isInTransaction = false;
  }

  release(): void {
    this.#client.off('error', this.#ended);
  }

  readonly #ended = (error: Error) => {
    this.#fault = error;
  };

  async #begin(then: string): Promise<void> {
    this.#ofTransaction = undefined;
    const rest = this.#rest();
    const isOwn = this.#differs(rest);
    this.#isInTransaction = true;
    await this.#ask(`BEGIN${isOwn ? `; SET LOCAL statement_timeout = ${rest}` : ''}${then}`);
    if (isOwn) this.#ofTransaction = rest;
  }

  /** At least 1, in whole milliseconds. Throws at the limit. */
  #rest(): number {
    const rest = Math.ceil(this.#until() - performance.now());
    if (rest > 0) return rest;
    throw unavailable(this.#code, new Error('the time limit for everything that waits for the database is reached'));
  }

  #differs(rest: number): boolean {
    const now = (this.#isInTransaction ? this.#ofTransaction : undefined) ?? this.#connection.statementMilliseconds;
    return Math.abs(now - rest) > SLACK_MILLISECONDS;
  }

  async #limitTo(rest: number): Promise<void> {
    await this.#ask(`SET ${this.#isInTransaction ? 'LOCAL ' : ''}statement_timeout = ${rest}`);
    if (this.#isInTransaction) this.#ofTransaction = rest;
    else this.#connection.statementMilliseconds = rest;
  }

  async #ask(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#send(text, values, this.#rest() + ANSWER_MILLISECONDS);
  }

  async #send(text: string, values: readonly unknown[] | undefined, most: number): Promise<pg.QueryResult> {
    const query = { text, ...(values === undefined ? {} : { values: [...values] }), query_timeout: most };
    try {
      return await this.#client.query(query);
    } catch (error) {
      if (!isUsableAfter(error)) this.#fault = error instanceof Error ? error : new Error(String(error));
      throw errorOfStatement(error, this.#code);
    }
  }
}
