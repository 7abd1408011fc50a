import type { Failures, TryBeginning, TryRule, TryStore } from '../../access/sign-on/try-store.js';
import type { Database, Statements, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';

/** Limit for failures of addresses. The oldest are evicted. */
const MOST_FAILURES = 200_000;
const TRIES_BETWEEN_SWEEPS = 256;

interface FailuresRow {
  readonly count: number;
  readonly firstUntil: number | null;
}

const FAILURES = 'count(*) filter (where has_failed) as count, min(until) filter (where has_failed) as "firstUntil"';

/** Attempts count at every node. */
export class PostgresqlTryStore implements TryStore {
  readonly #database: StoreDatabase;
  readonly #kind: 'address' | 'user';
  #untilSweep = TRIES_BETWEEN_SWEEPS;

  constructor(database: Database, kind: 'address' | 'user') {
    this.#database = database.for('SVC_ERR_SECURITY_UNAVAILABLE');
    this.#kind = kind;
  }

  async begin(key: string, { most, now, until }: TryRule): Promise<TryBeginning> {
    await this.#sweep(now);
    const { clock } = this.#database;
    return this.#inTurn(key, async (statements, of) => {
      await this.#forgetOver(statements, of, now);
      const [row] = await statements.query<FailuresRow & { tries: number }>(
        `select count(*) as tries, ${FAILURES} from sallyport.tries where kind = $1 and key = $2`,
        of,
      );
      if (row === undefined || row.tries >= most) return { kind: 'full', failures: this.#failuresOf(row) };
      const [begun] = await statements.query<{ id: number }>(
        'insert into sallyport.tries (kind, key, has_failed, until) values ($1, $2, false, $3) returning id',
        [...of, clock.toDatabase(until)],
      );
      return { kind: 'begun', id: String(begun?.id) };
    });
  }

  fail(key: string, id: string, at: { readonly now: number; readonly until: number | undefined }): Promise<number> {
    const until = at.until === undefined ? null : this.#database.clock.toDatabase(at.until);
    return this.#inTurn(key, async (statements, of) => {
      await this.#forgetOver(statements, of, at.now);
      await statements.query(
        `insert into sallyport.tries (kind, key, id, has_failed, until) overriding system value values ($1, $2, $3, true, $4)
         on conflict (kind, key, id) do update set has_failed = true, until = excluded.until`,
        [...of, id, until],
      );
      const [row] = await statements.query<FailuresRow>(
        `select ${FAILURES} from sallyport.tries where kind = $1 and key = $2`,
        of,
      );
      return row?.count ?? 0;
    });
  }

  async release(key: string, id: string): Promise<void> {
    if (!/^\d{1,18}$/.test(id)) return;
    await this.#database.query('delete from sallyport.tries where kind = $1 and key = $2 and id = $3', [
      this.#kind,
      Buffer.from(key),
      id,
    ]);
  }

  async clear(key: string): Promise<void> {
    await this.#database.query('delete from sallyport.tries where kind = $1 and key = $2 and has_failed', [
      this.#kind,
      Buffer.from(key),
    ]);
  }

  async failures(key: string, now: number): Promise<Failures> {
    const [row] = await this.#database.query<FailuresRow>(
      `select ${FAILURES} from sallyport.tries where kind = $1 and key = $2 and (until is null or until > $3)`,
      [this.#kind, Buffer.from(key), this.#database.clock.toDatabase(now)],
    );
    return this.#failuresOf(row);
  }

  #inTurn<T>(key: string, work: (statements: Statements, of: readonly [string, Buffer]) => Promise<T>): Promise<T> {
    const lock = lockOf('tries', `${this.#kind} ${key}`);
    return this.#database.transaction(lock, (statements) => work(statements, [this.#kind, Buffer.from(key)]));
  }

  async #forgetOver(statements: Statements, of: readonly [string, Buffer], now: number): Promise<void> {
    await statements.query('delete from sallyport.tries where kind = $1 and key = $2 and until <= $3', [
      ...of,
      this.#database.clock.toDatabase(now),
    ]);
  }

  async #sweep(now: number): Promise<void> {
    this.#untilSweep -= 1;
    if (this.#untilSweep > 0) return;
    this.#untilSweep = TRIES_BETWEEN_SWEEPS;
    await this.#database.query('delete from sallyport.tries where until <= $1', [this.#database.clock.toDatabase(now)]);
    await this.#database.query(
      `delete from sallyport.tries where kind = $1 and has_failed and id in (
         select id from sallyport.tries where kind = $1 and has_failed order by id desc offset $2)`,
      [this.#kind, MOST_FAILURES],
    );
  }

  #failuresOf(row: FailuresRow | undefined): Failures {
    const firstUntil = row?.firstUntil ?? undefined;
    const { clock } = this.#database;
    return {
      count: row?.count ?? 0,
      firstUntil: firstUntil === undefined ? undefined : clock.fromDatabase(firstUntil),
    };
  }
}
