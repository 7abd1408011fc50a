import { addressGroupOf } from '../../lib/network/addresses.js';
import type { AuditEntry } from './audit-entry.js';
import { boundsOf, MOST_OF_UNKNOWN, type TallyBounds } from './audit-kinds.js';

/** Each window starts with the first entry after the previous window. */
export const WINDOW_MILLISECONDS = 60_000;
const MOST_COUNTED_ADDRESSES = 10_000;
/** `who` and `from` of the entry for all further users and addresses. */
const SEVERAL = 'several';

export interface NoteOptions {
  /** The entry has an unknown user or token. Clients can invent such names. */
  readonly isOfUnknown?: boolean;
}

interface TallyContext {
  readonly write: (entry: AuditEntry) => Promise<void>;
  readonly isBroken: () => boolean;
  readonly now: () => number;
}

interface Counted {
  readonly key: string;
  readonly entry: AuditEntry;
  written: number;
  readonly repeats: AuditRepeats;
}

interface Kind {
  written: number;
  readonly alike: Map<string, Counted>;
  readonly actors: Map<string, Counted>;
  readonly others: Counted;
  readonly addresses: Set<string>;
  /** Last written entry. Counted entries are confirmed only after it. */
  latest: Promise<unknown>;
}

/**
 * Limits how fast clients can grow the audit trail with events that change nothing. The first entries of a window are
 * written at once. Repeats are counted, and the count is written when the window closes. While the audit trail cannot
 * be written, actions whose entries are only counted are refused as well.
 */
export class AuditTally {
  readonly #context: TallyContext;
  readonly #kinds = new Map<string, Kind>();
  readonly #owed = new Map<string, Counted>();
  #timer: NodeJS.Timeout | undefined;
  #settled: Promise<void> = Promise.resolve();

  constructor(context: TallyContext) {
    this.#context = context;
  }

  /** Rejects if the entry cannot be recorded. The caller must then refuse the action. */
  note(entry: AuditEntry, { isOfUnknown = false }: NoteOptions = {}): Promise<void> {
    const bounds = boundsOf(entry.what);
    if (bounds === undefined) return this.#context.write(entry);
    this.#startWindow();
    const kind = this.#kindOf(entry, isOfUnknown);
    const counted = this.#countedIn(kind, entry, isOfUnknown ? ofUnknown(bounds) : bounds);
    return typeof counted === 'function' ? this.#write(kind, entry, counted) : this.#count(kind, counted, entry);
  }

  settle(): Promise<void> {
    // Two calls at the same time would write the same counts twice.
    const settled = this.#settled.catch(() => {}).then(() => this.#closeWindow());
    this.#settled = settled;
    return settled;
  }

  async #closeWindow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    await Promise.all(kinds.map(({ latest }) => latest));
    for (const { alike, actors, others, addresses } of kinds) {
      for (const counted of [...alike.values(), ...actors.values()]) this.#owe(counted);
      this.#owe({ ...others, entry: { ...others.entry, after: { addresses: addresses.size } } });
    }
    const paid = await Promise.allSettled([...this.#owed.values()].map((counted) => this.#pay(counted)));
    const failed = paid.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #startWindow(): void {
    this.#timer ??= setTimeout(() => {
      this.settle().catch(() => {
        // The next window writes the counts.
        if (this.#owed.size > 0) this.#startWindow();
      });
    }, WINDOW_MILLISECONDS).unref();
  }

  #kindOf({ what }: AuditEntry, isOfUnknown: boolean): Kind {
    const name = `${what} ${isOfUnknown}`;
    const found = this.#kinds.get(name);
    if (found !== undefined) return found;
    const entry: AuditEntry = { who: SEVERAL, from: SEVERAL, what, subject: SEVERAL };
    const made = {
      written: 0,
      alike: new Map(),
      actors: new Map(),
      others: { key: name, entry, written: 0, repeats: new AuditRepeats() },
      addresses: new Set<string>(),
      latest: Promise.resolve(),
    };
    this.#kinds.set(name, made);
    return made;
  }

  /**
   * Returns the counter of the entry, or, if the entry is to be written, a function that reverts its count after a
   * failed write.
   */
  #countedIn(kind: Kind, entry: AuditEntry, bounds: TallyBounds): Counted | (() => void) {
    const { who, from, what, subject, before, after } = entry;
    const key = JSON.stringify([what, who, from, subject, before, after]);
    const client = addressGroupOf(from);
    const actorKey = JSON.stringify([what, who, client]);
    const alike = kind.alike.get(key);
    const actor = kind.actors.get(actorKey);
    if (alike !== undefined && alike.written >= bounds.alike) return alike;
    if (actor !== undefined && actor.written >= bounds.ofActor) return alike ?? actor;
    if (kind.written >= bounds.ofAll) {
      if (alike === undefined && kind.addresses.size < MOST_COUNTED_ADDRESSES) kind.addresses.add(client);
      return alike ?? kind.others;
    }
    const ofActor = actor ?? {
      key: actorKey,
      entry: { who, from: client, what, subject: SEVERAL },
      written: 0,
      repeats: new AuditRepeats(),
    };
    const ofAlike = alike ?? { key, entry, written: 0, repeats: new AuditRepeats() };
    kind.actors.set(actorKey, ofActor);
    kind.alike.set(key, ofAlike);
    const count = (more: number) => {
      for (const one of [kind, ofActor, ofAlike]) one.written += more;
    };
    count(1);
    return () => count(-1);
  }

  #write(kind: Kind, entry: AuditEntry, takeBack: () => void = () => {}): Promise<void> {
    const written = this.#context.write(entry);
    kind.latest = written.catch(takeBack);
    return written;
  }

  async #count(kind: Kind, counted: Counted, entry: AuditEntry): Promise<void> {
    counted.repeats.add(this.#context.now());
    await kind.latest;
    if (!this.#context.isBroken()) return;
    // The entry is written after all, or the action is refused.
    counted.repeats.more--;
    await this.#write(kind, entry);
  }

  #owe(counted: Counted): void {
    const { key, repeats } = counted;
    if (repeats.more === 0) return;
    const owed = this.#owed.get(key);
    if (owed === undefined) this.#owed.set(key, counted);
    else owed.repeats.include(repeats);
  }

  async #pay({ key, entry, repeats }: Counted): Promise<void> {
    const { more } = repeats;
    if (more <= 0) return void this.#owed.delete(key);
    const before = typeof entry.after === 'object' ? entry.after : {};
    await this.#context.write({ ...entry, after: { ...before, ...repeats.facts } });
    repeats.more -= more;
    if (repeats.more <= 0) this.#owed.delete(key);
  }
}

function ofUnknown(bounds: TallyBounds): TallyBounds {
  return { ...bounds, ofAll: Math.min(bounds.ofAll, MOST_OF_UNKNOWN) };
}

export class AuditRepeats {
  more = 0;
  #first = 0;
  #last = 0;

  add(now: number): void {
    if (this.more === 0) this.#first = now;
    this.#last = now;
    this.more++;
  }

  include(later: AuditRepeats): void {
    if (this.more === 0) this.#first = later.#first;
    this.#last = later.#last;
    this.more += later.more;
  }

  get facts(): object {
    return {
      more: this.more,
      first: new Date(this.#first).toISOString(),
      last: new Date(this.#last).toISOString(),
    };
  }
}
