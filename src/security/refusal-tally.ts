import type { AuditEntry } from './audit-entry.js';
import type { AuditRecord } from './audit-record.js';

const WINDOW_MILLISECONDS = 60_000;
/** Refusals of a minute with an entry of their own: of users that there are, and of others. Of what is alike there is one. */
export const MOST_REFUSALS_OF_USERS = 20;
export const MOST_OTHER_REFUSALS = 10;
const MOST_COUNTED_ADDRESSES = 10_000;

interface Refusal extends AuditEntry {
  readonly after: Readonly<Record<string, unknown>>;
  /** Whether it names a user that there is: nobody can crowd those out with names that they have made up. */
  readonly isOfUser: boolean;
}

interface Counted {
  readonly refusal: Refusal;
  /** Like it, after it. */
  more: number;
}

/**
 * Puts refusals on record, whoever makes however many of them: the first of a kind in a minute at once, the others as a number
 * at its end. 10,000 in a minute make some 60 entries at most.
 */
export class RefusalTally {
  readonly #audit: AuditRecord;
  readonly #onLost: (error: unknown) => void;
  readonly #counted = new Map<string, Counted>();
  #ofUsers = 0;
  #rest = 0;
  readonly #restAddresses = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  readonly #underWay = new Set<Promise<void>>();

  constructor(audit: AuditRecord, onLost: (error: unknown) => void) {
    this.#audit = audit;
    this.#onLost = onLost;
  }

  add(refusal: Refusal): void {
    const { who, from, what, after, isOfUser } = refusal;
    this.#timer ??= setTimeout(() => this.#close(), WINDOW_MILLISECONDS).unref();
    const kind = JSON.stringify([who, from, what, after]);
    const known = this.#counted.get(kind);
    const others = this.#counted.size - this.#ofUsers;
    if (known !== undefined) known.more++;
    else if (isOfUser ? this.#ofUsers < MOST_REFUSALS_OF_USERS : others < MOST_OTHER_REFUSALS) {
      if (isOfUser) this.#ofUsers++;
      this.#counted.set(kind, { refusal, more: 0 });
      this.#note(refusal);
    } else {
      this.#rest++;
      if (this.#restAddresses.size < MOST_COUNTED_ADDRESSES) this.#restAddresses.add(from);
    }
  }

  async stop(): Promise<void> {
    this.#close();
    await Promise.all(this.#underWay);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { refusal, more } of this.#counted.values()) {
      if (more > 0) this.#note({ ...refusal, after: { ...refusal.after, more } });
    }
    if (this.#rest > 0) {
      this.#note({
        who: 'several',
        from: 'several',
        what: 'user.signOnRefused',
        subject: 'further sign-ons',
        after: { refused: this.#rest, addresses: this.#restAddresses.size },
      });
    }
    this.#counted.clear();
    this.#restAddresses.clear();
    this.#ofUsers = 0;
    this.#rest = 0;
  }

  #note({ who, from, what, subject, after }: AuditEntry): void {
    const noted = this.#audit.note({ who, from, what, subject, after }).catch(this.#onLost);
    this.#underWay.add(noted);
    void noted.finally(() => this.#underWay.delete(noted));
  }
}
