import { ServiceError } from '../../lib/errors.js';
import { addressGroupOf } from '../../lib/network/addresses.js';
import { messageOf } from '../../lib/text/messages.js';
import { type Actor, type AuditEntry, type AuditStage, NOBODY_SIGNED_ON } from './audit-entry.js';
import { AuditRepeats, WINDOW_MILLISECONDS } from './audit-tally.js';

/** Failed attempts whose repeats are tallied. Attempts past this bound have entries of their own. */
const MOST_REPEATED_ATTEMPTS = 1_000;

/** How attempts reach the audit trail. */
interface AttemptGround {
  /** A change with an intent and an outcome of its own. */
  readonly each: <T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[]) => Promise<T>;
  /** Resolves with the number of the intent. Rejects if the intent is not on disk. */
  readonly intend: (entry: AuditEntry) => Promise<number>;
  /** Never rejects. */
  readonly conclude: (outcome: readonly AuditEntry[], stage: AuditStage, intent: number | undefined) => Promise<void>;
  /** Whether the last entry could not be written. */
  readonly isBroken: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets. */
  readonly steadyNow: () => number;
}

interface Attempt<T> {
  readonly entry: AuditEntry;
  readonly make: () => Promise<T>;
  readonly further: readonly AuditEntry[];
}

/** An attempt that has failed, and its repeats. */
interface Repeated {
  readonly entry: AuditEntry;
  readonly repeats: AuditRepeats;
  underWay: number;
  /** On disk, without an outcome. It covers all repeats until one of them changes something. */
  intent: Promise<number> | undefined;
  reason: string;
}

/**
 * Bounds how much clients can make the audit trail grow by changes that they ask for. Each change that is made has its intent
 * on disk before it, and its outcome after it. After an attempt has failed, its repeats share one intent, and the repeats that
 * fail share one outcome with their number.
 */
export class AuditAttempts {
  readonly #ground: AttemptGround;
  readonly #pace: ChangePace;
  readonly #repeated = new Map<string, Repeated>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ground: AttemptGround) {
    this.#ground = ground;
    this.#pace = new ChangePace(ground.steadyNow);
  }

  /** @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE, SVC_ERR_AUDIT_PACE: nothing was changed then. What `make` throws. */
  async record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[]): Promise<T> {
    const { what, who, from, subject, before, after } = entry;
    const key = JSON.stringify([what, who, from, subject, before, after]);
    const repeated = this.#repeated.get(key);
    // an earlier intent does not prove that the audit trail can still be written
    if (repeated !== undefined && !this.#ground.isBroken()) return this.#repeat(repeated, { entry, make, further });
    this.#pace.take(entry);
    let hasBegun = false;
    const begun = () => {
      hasBegun = true;
      return make();
    };
    return this.#ground.each(entry, begun, further).catch((error: unknown) => {
      if (hasBegun && this.#repeated.size < MOST_REPEATED_ATTEMPTS && !this.#repeated.has(key)) {
        const repeats = new AuditRepeats();
        this.#repeated.set(key, { entry, repeats, underWay: 0, intent: undefined, reason: messageOf(error) });
        this.#startWindow();
      }
      throw error;
    });
  }

  /** Writes the outcomes of repeats that were only counted. */
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
        repeated.repeats.add(this.#ground.now());
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
      const intent = this.#ground.intend(repeated.entry);
      repeated.intent = intent;
      intent.catch(() => {
        if (repeated.intent === intent) repeated.intent = undefined;
      });
    }
    await repeated.intent;
  }

  /** Something was changed: the intent has its outcome now, and covers nothing any more. */
  async #concludeDone(repeated: Repeated, done: readonly AuditEntry[]): Promise<void> {
    const covering = repeated.intent;
    if (covering === undefined) return;
    const intent = await covering;
    // the repeats that are under way are covered at any moment
    repeated.intent = repeated.underWay > 1 ? this.#ground.intend(repeated.entry).catch(() => intent) : undefined;
    await repeated.intent;
    await this.#ground.conclude(done, 'done', intent);
  }

  async #concludeFailed({ entry, repeats, intent, reason }: Repeated): Promise<void> {
    if (repeats.more === 0) return;
    const { after: _, ...rest } = entry;
    const failed = { ...rest, after: { failed: reason, ...repeats.facts } };
    await this.#ground.conclude([failed], 'failed', await intent);
  }

  #startWindow(): void {
    this.#timer ??= setTimeout(() => void this.settle(), WINDOW_MILLISECONDS).unref();
  }
}

/** Intents a minute of clients at one address that have not signed on. */
const MOST_ANONYMOUS_CHANGES = 60;
/** Intents a minute of one user, or program, at one address. */
const MOST_CHANGES_OF_USER = 600;
const MOST_ACTORS = 10_000;
const SECOND = 1_000;

/** Bounds how many changes a client can ask for: each of them has entries of its own in the audit trail. */
class ChangePace {
  readonly #now: () => number;
  readonly #asked = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that nobody sets */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws ServiceError SVC_ERR_AUDIT_PACE */
  take({ who, from }: Actor): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MILLISECONDS) {
      this.#since = now;
      this.#asked.clear();
    }
    const name = JSON.stringify([who, addressGroupOf(from)]);
    // past the bound, further clients share one number
    const key = this.#asked.has(name) || this.#asked.size < MOST_ACTORS ? name : '';
    const asked = this.#asked.get(key) ?? 0;
    if (asked >= (who === NOBODY_SIGNED_ON ? MOST_ANONYMOUS_CHANGES : MOST_CHANGES_OF_USER)) {
      const seconds = Math.max(1, Math.ceil((this.#since + WINDOW_MILLISECONDS - now) / SECOND));
      throw new ServiceError('SVC_ERR_AUDIT_PACE', { headers: { 'Retry-After': String(seconds) } });
    }
    this.#asked.set(key, asked + 1);
  }
}
