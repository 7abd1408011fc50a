import { ServiceError } from '../../lib/errors.js';
import { addressGroupOf } from '../../lib/network/addresses.js';
import { messageOf } from '../../lib/text/messages.js';
import { type Actor, type AuditEntry, type AuditStage, NOBODY_SIGNED_ON } from './audit-entry.js';
import { AuditRepeats, WINDOW_MILLISECONDS } from './audit-tally.js';

/** Failed attempts whose repeats share an intent. Attempts past this limit get their own entries. */
const MOST_REPEATED_ATTEMPTS = 1_000;

interface AttemptContext {
  readonly each: <T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[]) => Promise<T>;
  /** Resolves with the number of the intent. Rejects if the intent is not on disk. */
  readonly intend: (entry: AuditEntry) => Promise<number>;
  readonly conclude: (outcome: readonly AuditEntry[], stage: AuditStage, intent: number | undefined) => Promise<void>;
  readonly isBroken: () => boolean;
  readonly now: () => number;
  readonly steadyNow: () => number;
}

interface Attempt<T> {
  readonly entry: AuditEntry;
  readonly make: () => Promise<T>;
  readonly further: readonly AuditEntry[];
}

interface Repeated {
  readonly entry: AuditEntry;
  readonly repeats: AuditRepeats;
  underWay: number;
  /** On disk and without an outcome. Covers all repeats until one of them succeeds. */
  intent: Promise<number> | undefined;
  reason: string;
}

/**
 * Limits how fast clients can grow the audit trail with changes. Each change has its intent on disk before it is made
 * and its outcome after. After an attempt fails, its repeats share one intent, and the failed repeats share one outcome
 * with their number.
 */
export class AuditAttempts {
  readonly #context: AttemptContext;
  readonly #pace: ChangePace;
  readonly #repeated = new Map<string, Repeated>();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: AttemptContext) {
    this.#context = context;
    this.#pace = new ChangePace(context.steadyNow);
  }

  /**
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE or SVC_ERR_AUDIT_PACE, before anything is changed. Errors of `make`
   * are passed on.
   */
  async record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[]): Promise<T> {
    const { what, who, from, subject, before, after } = entry;
    const key = JSON.stringify([what, who, from, subject, before, after]);
    const repeated = this.#repeated.get(key);
    // An earlier intent does not prove that the audit trail is still writable.
    if (repeated !== undefined && !this.#context.isBroken()) return this.#repeat(repeated, { entry, make, further });
    this.#pace.take(entry);
    let hasBegun = false;
    const begun = () => {
      hasBegun = true;
      return make();
    };
    return this.#context.each(entry, begun, further).catch((error: unknown) => {
      if (hasBegun && this.#repeated.size < MOST_REPEATED_ATTEMPTS && !this.#repeated.has(key)) {
        const repeats = new AuditRepeats();
        this.#repeated.set(key, { entry, repeats, underWay: 0, intent: undefined, reason: messageOf(error) });
        this.#startWindow();
      }
      throw error;
    });
  }

  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const closing = [...this.#repeated].filter(([, { underWay }]) => underWay === 0);
    for (const [key] of closing) this.#repeated.delete(key);
    await Promise.all(closing.map(([, repeated]) => this.#concludeFailed(repeated)));
    if (this.#repeated.size > 0) this.#startWindow();
  }

  async #repeat<T>(repeated: Repeated, { entry, make, further }: Attempt<T>): Promise<T> {
    repeated.underWay++;
    try {
      await this.#cover(repeated);
      const result = await make().catch((error: unknown) => {
        repeated.repeats.add(this.#context.now());
        repeated.reason = messageOf(error);
        throw error;
      });
      await this.#concludeDone(repeated, [...further, entry]);
      return result;
    } finally {
      repeated.underWay--;
    }
  }

  async #cover(repeated: Repeated): Promise<void> {
    if (repeated.intent === undefined) {
      this.#pace.take(repeated.entry);
      const intent = this.#context.intend(repeated.entry);
      repeated.intent = intent;
      intent.catch(() => {
        if (repeated.intent === intent) repeated.intent = undefined;
      });
    }
    await repeated.intent;
  }

  async #concludeDone(repeated: Repeated, done: readonly AuditEntry[]): Promise<void> {
    const covering = repeated.intent;
    if (covering === undefined) return;
    const intent = await covering;
    // Write the next intent first, so that repeats in progress always have one.
    repeated.intent = repeated.underWay > 1 ? this.#context.intend(repeated.entry).catch(() => intent) : undefined;
    await repeated.intent;
    await this.#context.conclude(done, 'done', intent);
  }

  async #concludeFailed({ entry, repeats, intent, reason }: Repeated): Promise<void> {
    if (repeats.more === 0) return;
    const { after: _, ...rest } = entry;
    const failed = { ...rest, after: { failed: reason, ...repeats.facts } };
    await this.#context.conclude([failed], 'failed', await intent);
  }

  #startWindow(): void {
    this.#timer ??= setTimeout(() => void this.settle(), WINDOW_MILLISECONDS).unref();
  }
}

/** Per minute, for all anonymous clients of one address group. */
const MOST_ANONYMOUS_CHANGES = 60;
/** Per minute, for one user or program at one address group. */
const MOST_CHANGES_OF_USER = 600;
const MOST_ACTORS = 10_000;
const SECOND = 1_000;

class ChangePace {
  readonly #now: () => number;
  readonly #asked = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  take({ who, from }: Actor): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MILLISECONDS) {
      this.#since = now;
      this.#asked.clear();
    }
    const name = JSON.stringify([who, addressGroupOf(from)]);
    // Past the limit, further clients share one counter.
    const key = this.#asked.has(name) || this.#asked.size < MOST_ACTORS ? name : '';
    const asked = this.#asked.get(key) ?? 0;
    if (asked >= (who === NOBODY_SIGNED_ON ? MOST_ANONYMOUS_CHANGES : MOST_CHANGES_OF_USER)) {
      const seconds = Math.max(1, Math.ceil((this.#since + WINDOW_MILLISECONDS - now) / SECOND));
      throw new ServiceError('SVC_ERR_AUDIT_PACE', { headers: { 'Retry-After': String(seconds) } });
    }
    this.#asked.set(key, asked + 1);
  }
}
