import { ServiceError } from '../../lib/errors.js';
import { messageOf } from '../../lib/text/messages.js';
import { AuditAttempts } from './audit-attempts.js';
import { type AuditEntry, type AuditStage, type EntryJson, jsonOf } from './audit-entry.js';
import { auditKinds } from './audit-kinds.js';
import { AuditTally, type NoteOptions } from './audit-tally.js';

/** Entries that may wait for those before them, and that are written at once. */
const MOST_WAITING = 2_000;
const MOST_TOGETHER = 200;
/** An entry with less than this left is refused when its turn comes, so that it does not shorten the time of the others. */
const LEAST_MILLISECONDS = 100;
const RETRY_AFTER_SECONDS = '5';
/** How long health checks report an entry that could not be written. */
const FAILURE_MILLISECONDS = 10_000;

interface Waiting {
  readonly entries: readonly EntryJson[];
  readonly follows: boolean;
  /** The entry is refused if it is not written by then: a time of `performance.now()`. */
  readonly until: number;
  readonly timer: NodeJS.Timeout | undefined;
  readonly resolve: (number: number) => void;
  readonly reject: (error: unknown) => void;
}

export interface AuditWritingTellings {
  /** Nothing was changed, because it could not be put on record. */
  readonly onRefused?: (error: unknown) => void;
  /** A change was made and its outcome could not be written; the next entry of this process brings it along. */
  readonly onOutcomeLate?: (error: unknown) => void;
}

/**
 * Appends entries as one, and keeps them before it resolves.
 * @param follows whether nothing is appended to a chain that is broken farther up
 * @param until the limit for everything that the append waits for: a time of `performance.now()`
 * @returns the number of the last of them
 */
type AppendEntries = (entries: readonly EntryJson[], follows: boolean, until: number) => Promise<number>;

interface AuditWritingOptions extends AuditWritingTellings {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Until when an entry that comes now may wait, the entries before it included: a time of `performance.now()`. Not given: for ever. */
  readonly until?: () => number;
}

/**
 * The door to an audit trail, wherever it is: in which order a process writes (intents before changes, outcomes after them), and
 * how much (`audit-kinds`).
 */
export class AuditWriting {
  readonly #append: AppendEntries;
  readonly #until: () => number;
  readonly #onRefused: (error: unknown) => void;
  readonly #onOutcomeLate: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  /** Outcomes that could not be written yet: at most those of the changes that were under way. */
  #late: EntryJson[] = [];
  /** The last entry could not be written. */
  #isBroken = false;
  #failed: { readonly reason: string; readonly at: number } | undefined;
  readonly #tally: AuditTally;
  readonly #attempts: AuditAttempts;

  constructor(
    append: AppendEntries,
    {
      onRefused = () => {},
      onOutcomeLate = () => {},
      now = Date.now,
      until = () => Number.POSITIVE_INFINITY,
    }: AuditWritingOptions,
  ) {
    this.#append = append;
    this.#until = until;
    this.#onRefused = onRefused;
    this.#onOutcomeLate = onOutcomeLate;
    const isBroken = () => this.#isBroken;
    this.#tally = new AuditTally({
      write: async (entry) => void (await this.#orRefuse([jsonOf(entry)])),
      isBroken,
      now,
    });
    this.#attempts = new AuditAttempts({
      each: (entry, make, further) => this.#recordEach(entry, make, further),
      intend: (entry) => this.#orRefuse([{ ...jsonOf(entry), stage: 'intended' }]),
      conclude: (outcome, stage, intent) => this.#conclude(outcome.map(jsonOf), stage, intent),
      isBroken,
      now,
      steadyNow: () => performance.now(),
    });
  }

  /** Reason why an entry was not written in the last 10 seconds, unless a later one was. */
  get failure(): string | undefined {
    const failed = this.#failed;
    if (failed === undefined || performance.now() - failed.at >= FAILURE_MILLISECONDS) return undefined;
    return `an entry could not be written: ${failed.reason}`;
  }

  /** Entries of one process stand in the order of the calls. */
  async append(entry: AuditEntry): Promise<void> {
    await this.#inTurn([jsonOf(entry)]);
  }

  /** @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE */
  note(entry: AuditEntry, options?: NoteOptions): Promise<void> {
    return this.#tally.note(entry, options);
  }

  /** @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE, SVC_ERR_AUDIT_PACE; what `make` throws */
  record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[] = []): Promise<T> {
    if (auditKinds[entry.what] === 'paced') return this.#attempts.record(entry, make, further);
    return this.#recordEach(entry, make, further);
  }

  /** Writes what was only counted. Rejects if not all of it is on disk. */
  async settle(): Promise<void> {
    await this.#attempts.settle();
    await this.#tally.settle();
  }

  async #recordEach<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[]): Promise<T> {
    const json = jsonOf(entry);
    const done = [...further.map(jsonOf), json];
    const intent = await this.#orRefuse([{ ...json, stage: 'intended' }]);
    let result: T;
    try {
      result = await make();
    } catch (error) {
      const { after: _, ...rest } = entry;
      const failed = messageOf(error);
      await this.#conclude([jsonOf({ ...rest, after: { failed } })], 'failed', intent);
      throw error;
    }
    await this.#conclude(done, 'done', intent);
    return result;
  }

  /** The change is made, whatever becomes of this. */
  async #conclude(outcome: readonly EntryJson[], stage: AuditStage, intent: number | undefined): Promise<void> {
    const entries = outcome.map((json) => ({ ...json, stage, ...(intent === undefined ? {} : { intent }) }));
    try {
      await this.#inTurn(entries);
    } catch (error) {
      this.#late.push(...entries);
      this.#onOutcomeLate(error);
    }
  }

  async #orRefuse(entries: readonly EntryJson[]): Promise<number> {
    try {
      return await this.#inTurn(entries, true);
    } catch (error) {
      this.#onRefused(error);
      const detail = (error instanceof ServiceError ? error.detail : undefined) ?? messageOf(error);
      // a database that cannot now says when to come again
      const headers = error instanceof ServiceError ? error.headers : {};
      throw new ServiceError('SVC_ERR_AUDIT_UNAVAILABLE', { detail, headers, cause: error });
    }
  }

  /** @returns the number of the last of them */
  #inTurn(entries: readonly EntryJson[], follows = false): Promise<number> {
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(refusal('too many entries wait to be written'));
    const until = this.#until();
    const written = new Promise<number>((resolve, reject) => {
      const refuse = () => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        this.#refuseLate(one);
      };
      const timer = Number.isFinite(until) ? setTimeout(refuse, Math.max(0, until - performance.now())) : undefined;
      const one: Waiting = { entries, follows, until, timer, resolve, reject };
      this.#waiting.push(one);
    });
    if (!this.#isWriting) void this.#writeWaiting();
    return written;
  }

  /** Nothing of it was written, and nothing of it will be. */
  #refuseLate(one: Waiting): void {
    const error = refusal('it could not be written within the time limit');
    this.#failed = { reason: messageOf(error), at: performance.now() };
    one.reject(error);
  }

  /** What came while others were written is written together: it is kept after one wait for it. */
  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const { follows } = first;
      const end = this.#waiting.findIndex((one, at) => one.follows !== follows || at === MOST_TOGETHER);
      const together: Waiting[] = [];
      for (const one of this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)) {
        clearTimeout(one.timer);
        if (one.until - performance.now() < LEAST_MILLISECONDS) this.#refuseLate(one);
        else together.push(one);
      }
      if (together.length === 0) continue;
      const until = Math.min(...together.map((one) => one.until));
      try {
        const entries = together.flatMap((one) => one.entries);
        const late = this.#late.length;
        let number = (await this.#append([...this.#late, ...entries], follows, until)) - entries.length;
        this.#late.splice(0, late);
        this.#isBroken = false;
        this.#failed = undefined;
        for (const one of together) {
          number += one.entries.length;
          one.resolve(number);
        }
      } catch (error) {
        this.#isBroken = true;
        this.#failed = { reason: messageOf(error), at: performance.now() };
        for (const one of together) one.reject(error);
      }
    }
    this.#isWriting = false;
  }
}

function refusal(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_AUDIT_UNAVAILABLE', { detail, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
