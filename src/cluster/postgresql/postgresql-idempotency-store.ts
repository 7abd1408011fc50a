import { steadyNow } from '../../lib/steady-clock.js';
import {
  IDEMPOTENCY_MILLISECONDS,
  type IdempotencyBounds,
  type IdempotencyStore,
  idempotencyBounds,
  type KeptAnswer,
  type KeyedBeginning,
  type KeyedRequest,
} from '../../services/idempotency-store.js';
import type { Database, Statements, StoreDatabase } from './database.js';
import { unavailable } from './database-error.js';
import { lockOf } from './database-lock.js';
import { IS_PRESENT, type ProcessPresence } from './process-presence.js';
import { orLate, withinLimit } from './waiting-limit.js';

const PAUSE_MILLISECONDS = 1_000;
const MOST_WAITING = 10_000;

/** Retries failed database work in order until it succeeds. */
class RepeatedWork {
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  add(work: () => Promise<unknown>): boolean {
    if (this.#isOver || this.#waiting.length >= MOST_WAITING) return false;
    this.#waiting.push(work);
    if (this.#waiting.length === 1) this.#soon();
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
  }

  #soon(): void {
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#repeat(), PAUSE_MILLISECONDS).unref();
  }

  async #repeat(): Promise<void> {
    try {
      for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
        await first();
        this.#waiting.shift();
      }
    } catch {
      this.#soon();
    }
  }
}

interface KnownRow {
  readonly content: Buffer;
  readonly answer: string | null;
  readonly isRunning: boolean;
}

/** Limit for answers that wait for the database. Requests with further answers are stored as interrupted. */
const MOST_LATE_BYTES = 16 * 1024 * 1024;
const NOBODY = 0;

/** Approximate size of a row without its answer. */
const ROW_BYTES = 200;

/** Stored first answers. Requests whose process has ended without an answer count as interrupted. */
export class PostgresqlIdempotencyStore implements IdempotencyStore {
  readonly #database: StoreDatabase;
  readonly #presence: ProcessPresence;
  readonly #bounds: IdempotencyBounds;
  readonly #late = new RepeatedWork();
  #lateBytes = 0;

  constructor(database: Database, presence: ProcessPresence, bounds = idempotencyBounds) {
    this.#database = database.for('SVC_ERR_STORE_UNAVAILABLE');
    this.#presence = presence;
    this.#bounds = bounds;
  }

  begin(request: KeyedRequest, now = steadyNow()): Promise<KeyedBeginning> {
    const until = this.#database.until();
    return withinLimit(until, () => this.#begin(request, this.#database.clock.toDatabase(now), until));
  }

  async #begin(request: KeyedRequest, at: number, until: number): Promise<KeyedBeginning> {
    const late = 'this process could not announce itself to the other processes within the time limit';
    await orLate(this.#presence.show(), until, late).catch((error: unknown) => {
      throw unavailable('SVC_ERR_STORE_UNAVAILABLE', error);
    });
    const known = await knownOf(this.#database, request, at);
    if (known !== undefined) return known;
    try {
      return await this.#database.transaction(lockOf('idempotency'), (all) => this.#beginFirst(all, request, at));
    } catch (error) {
      // The insert may have been committed, but the request will not run.
      this.#late.add(() => this.#removeOwn(request.id, at));
      throw error;
    }
  }

  async answer(id: string, answer: KeptAnswer): Promise<void> {
    const text = JSON.stringify(answer);
    try {
      await this.#keep(id, text);
    } catch (error) {
      if (this.#lateBytes + text.length <= MOST_LATE_BYTES) this.#keepLate(id, text);
      else this.#late.add(() => this.#interrupt(id));
      throw error;
    }
  }

  async forget(id: string): Promise<void> {
    try {
      await this.#remove('id = $1', [Buffer.from(id)]);
    } catch (error) {
      this.#late.add(() => this.#removeOwn(id, undefined));
      throw error;
    }
  }

  close(): void {
    this.#late.close();
  }

  /** Until the answer is stored, the request counts as running. */
  #keepLate(id: string, text: string): void {
    const isAdded = this.#late.add(async () => {
      await this.#keep(id, text);
      this.#lateBytes -= text.length;
    });
    if (isAdded) this.#lateBytes += text.length;
  }

  #keep(id: string, text: string): Promise<void> {
    return this.#database.transaction(lockOf('idempotency'), async (statements) => {
      const bytes = Buffer.byteLength(text);
      const answered = await statements.query(
        `update sallyport.idempotency set answer = $2, bytes = bytes + $3 where id = $1 and answer is null returning id`,
        [Buffer.from(id), text, bytes],
      );
      if (answered.length > 0) await addTotal(statements, 0, bytes);
    });
  }

  #interrupt(id: string): Promise<unknown> {
    const text = 'update sallyport.idempotency set owner = $2 where id = $1 and answer is null';
    return this.#database.query(text, [Buffer.from(id), NOBODY]);
  }

  /**
   * Does not remove a request that was started again.
   * @param at start time. Undefined: any.
   */
  #removeOwn(id: string, at: number | undefined): Promise<void> {
    const condition = 'id = $1 and owner = $2 and answer is null and at = coalesce($3, at)';
    return this.#remove(condition, [Buffer.from(id), this.#presence.number, at ?? null]);
  }

  #remove(condition: string, values: readonly unknown[]): Promise<void> {
    return this.#database.transaction(lockOf('idempotency'), (statements) =>
      removeWhere(statements, condition, values),
    );
  }

  async #beginFirst(statements: Statements, request: KeyedRequest, at: number): Promise<KeyedBeginning> {
    const known = await knownOf(statements, request, at);
    if (known !== undefined) return known;
    await removeWhere(statements, `at <= $1 and (answer is not null or not ${IS_PRESENT})`, [
      at - IDEMPOTENCY_MILLISECONDS,
    ]);
    const { most, mostOfCaller, bytes: mostBytes } = this.#bounds;
    const caller = Buffer.from(request.caller);
    const [total = { requests: 0, bytes: 0, ofCaller: 0 }] = await statements.query<{
      requests: number;
      bytes: number;
      ofCaller: number;
    }>(
      `select requests, bytes, (select count(*) from sallyport.idempotency where caller = $1) as "ofCaller"
       from sallyport.idempotency_total`,
      [caller],
    );
    if (total.requests >= most || total.ofCaller >= mostOfCaller || total.bytes >= mostBytes) return { kind: 'full' };
    await statements.query(
      'insert into sallyport.idempotency (id, caller, content, at, owner, bytes) values ($1, $2, $3, $4, $5, $6)',
      [Buffer.from(request.id), caller, Buffer.from(request.content), at, this.#presence.number, ROW_BYTES],
    );
    await addTotal(statements, 1, ROW_BYTES);
    return { kind: 'begun' };
  }
}

async function knownOf(statements: Statements, request: KeyedRequest, at: number): Promise<KeyedBeginning | undefined> {
  const [known] = await statements.query<KnownRow>(
    `select content, answer, answer is null and ${IS_PRESENT} as "isRunning" from sallyport.idempotency
     where id = $1 and (at > $2 or answer is null and ${IS_PRESENT})`,
    [Buffer.from(request.id), at - IDEMPOTENCY_MILLISECONDS],
  );
  if (known === undefined) return undefined;
  if (!known.content.equals(Buffer.from(request.content))) return { kind: 'otherContent' };
  if (known.answer !== null) return { kind: 'answered', answer: JSON.parse(known.answer) as KeptAnswer };
  return { kind: known.isRunning ? 'running' : 'interrupted' };
}

async function removeWhere(statements: Statements, condition: string, values: readonly unknown[]): Promise<void> {
  await statements.query(
    `with removed as (delete from sallyport.idempotency where ${condition} returning bytes)
     update sallyport.idempotency_total set requests = requests - (select count(*) from removed),
       bytes = bytes - (select coalesce(sum(bytes), 0)::int8 from removed)
     where exists (select from removed)`,
    values,
  );
}

async function addTotal(statements: Statements, requests: number, bytes: number): Promise<void> {
  await statements.query('update sallyport.idempotency_total set requests = requests + $1, bytes = bytes + $2', [
    requests,
    bytes,
  ]);
}
