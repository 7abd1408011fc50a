import type pg from 'pg';
import type { ErrorCode } from '../errors.js';
import { errorOfStatement, isUsableAfter, unavailable } from './database-error.js';

/** A connection of a pool while somebody has it. */
export class HeldConnection {
  readonly #client: pg.PoolClient;
  readonly #code: ErrorCode;
  #fault: Error | undefined;

  /** @param code thrown where the database cannot be used */
  constructor(client: pg.PoolClient, code: ErrorCode) {
    this.#client = client;
    this.#code = code;
    client.on('error', this.#ended);
  }

  async query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const { rows } = await this.#ask(text, values);
    return rows as Row[];
  }

  /** Nothing of it is held while somebody waits for the lock, but the connection. */
  async begin([one, other]: readonly [number, number]): Promise<void> {
    await this.#ask(`BEGIN; SELECT pg_advisory_xact_lock(${one | 0}, ${other | 0})`);
  }

  async beginUnlocked(): Promise<void> {
    await this.#ask('BEGIN');
  }

  async commit(): Promise<void> {
    const { command } = await this.#ask('COMMIT');
    // so the database says that a transaction in which something failed was undone
    if (command !== 'COMMIT') throw unavailable(this.#code, new Error('the change was undone'));
  }

  async rollBack(): Promise<void> {
    if (this.#fault === undefined) await this.#ask('ROLLBACK').catch(() => {});
  }

  release(): void {
    this.#client.off('error', this.#ended);
    this.#client.release(this.#fault);
  }

  readonly #ended = (error: Error) => {
    this.#fault = error;
  };

  async #ask(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(text, values === undefined ? undefined : [...values]);
    } catch (error) {
      if (!isUsableAfter(error)) this.#fault = error instanceof Error ? error : new Error(String(error));
      throw errorOfStatement(error, this.#code);
    }
  }
}
