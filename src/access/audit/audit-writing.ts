import { ServiceError } from '../../lib/errors.js';
import { messageOf } from '../../lib/text/messages.js';
import { AuditAttempts } from './audit-attempts.js';
import { type AuditEntry, type AuditStage, type EntryJson, jsonOf } from './audit-entry.js';
import { auditKinds } from './audit-kinds.js';
import { AuditTally, type NoteOptions } from './audit-tally.js';

const MOST_WAITING = 2_000;
const MOST_TOGETHER = 200;
/**
 * Minimum time that must be left when an entry's turn comes. Otherwise it is refused, so that it does not shorten the
 * time limit of the others.
 */
const LEAST_MILLISECONDS = 100;
const RETRY_AFTER_SECONDS = '5';
/** How long health checks report an entry that could not be written. */
const FAILURE_MILLISECONDS = 10_000;

interface Waiting {
  readonly entries: readonly EntryJson[];
  readonly follows: boolean;
  readonly until: number;
  readonly timer: NodeJS.Timeout | undefined;
  readonly resolve: (number: number) => void;
  readonly reject: (error: unknown) => void;
}

export interface AuditWritingTellings {
  readonly onRefused?: (error: unknown) => void;
  /**
   * Called if a change was made and its outcome could not be written. The next append of this process includes the
   * outcome.
   */
  readonly onOutcomeLate?: (error: unknown) => void;
}

/**
 * Appends all entries or none. Resolves when they are permanent.
 * @param follows true to reject the entries if the chain is broken
 * @param until limit for all waits, on the clock of `performance.now()`
 * @returns the sequence number of the last entry
 */
type AppendEntries = (entries: readonly EntryJson[], follows: boolean, until: number) => Promise<number>;

interface AuditWritingOptions extends AuditWritingTellings {
  readonly now?: () => number;
  /**
   * Time limit of an entry added now, on the clock of `performance.now()`. It includes the wait for earlier entries.
   * Default: no limit.
   */
  readonly until?: () => number;
}

/**
 * Queue of audit entries in front of any storage. Keeps the order (intents before changes, outcomes after them) and the
 * limits of `audit-kinds`.
 */
export class AuditWriting {
  readonly #append: AppendEntries;
  readonly #until: () => number;
  readonly #onRefused: (error: unknown) => void;
  readonly #onOutcomeLate: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;
  /** Outcomes that could not be written yet. Bounded by the number of changes in progress. */
  #late: EntryJson[] = [];
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

  /** Reason if an entry failed in the last 10 seconds and no later one was written. */
  get failure(): string | undefined {
    const failed = this.#failed;
    if (failed === undefined || performance.now() - failed.at >= FAILURE_MILLISECONDS) return undefined;
    return `an entry could not be written: ${failed.reason}`;
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#inTurn([jsonOf(entry)]);
  }

  note(entry: AuditEntry, options?: NoteOptions): Promise<void> {
    return this.#tally.note(entry, options);
  }

  record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[] = []): Promise<T> {
    if (auditKinds[entry.what] === 'paced') return this.#attempts.record(entry, make, further);
    return this.#recordEach(entry, make, further);
  }

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

  /** Never rejects: the change is already made. */
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
      // Keep the Retry-After header of an unavailable database.
      const headers = error instanceof ServiceError ? error.headers : {};
      throw new ServiceError('SVC_ERR_AUDIT_UNAVAILABLE', { detail, headers, cause: error });
    }
  }

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

  #refuseLate(one: Waiting): void {
    const error = refusal('it could not be written within the time limit');
    this.#failed = { reason: messageOf(error), at: performance.now() };
    one.reject(error);
  }

  /** Writes the entries that arrived during the previous write together, with one flush. */
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
