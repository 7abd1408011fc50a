import type pg from 'pg';
import type { ErrorCode } from '../../lib/errors.js';
import type { PooledConnection } from './connection-pool.js';
import { errorOfStatement, isUsableAfter, unavailable } from './database-error.js';

/** How much longer than its limit a statement may take in PostgreSQL: a limit that changes less is not sent. */
const SLACK_MILLISECONDS = 250;
/** After its limit, the connection is given up if PostgreSQL does not answer within this time. */
const ANSWER_MILLISECONDS = 500;

/** A connection of a pool while somebody has it. Everything that is asked over it shares one limit. */
export class HeldConnection {
  readonly #connection: PooledConnection;
  readonly #client: pg.Client;
  readonly #code: ErrorCode;
  readonly #until: () => number;
  /** The `statement_timeout` of the transaction, if it has one of its own. */
  #ofTransaction: number | undefined;
  #isInTransaction = false;
  #fault: Error | undefined;

  /**
   * @param code thrown where the database cannot be used
   * @param until the limit: a time of `performance.now()`
   */
  constructor(connection: PooledConnection, code: ErrorCode, until: () => number) {
    this.#connection = connection;
    this.#client = connection.client;
    this.#code = code;
    this.#until = until;
    this.#client.on('error', this.#ended);
  }

  /** The connection cannot be used any more. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  async query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const rest = this.#rest();
    if (this.#differs(rest)) await this.#limitTo(rest);
    const { rows } = await this.#ask(text, values);
    return rows as Row[];
  }

  /** Nothing of it is held while somebody waits for the lock, but the connection. */
  async begin([one, other]: readonly [number, number]): Promise<void> {
    await this.#begin(`; SELECT pg_advisory_xact_lock(${one | 0}, ${other | 0})`);
  }

  async beginUnlocked(): Promise<void> {
    await this.#begin('');
  }

  async commit(): Promise<void> {
    const { command } = await this.#ask('COMMIT');
    this.#isInTransaction = false;
    // so the database says that a transaction in which something failed was undone
    if (command !== 'COMMIT') throw unavailable(this.#code, new Error('the change was undone'));
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

  /** @returns whole milliseconds until the limit, at least one */
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
