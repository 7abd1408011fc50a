import type { NodeStore } from '../../cluster/nodes/node-store.js';
import type { LiveSession, SessionsElsewhere } from '../../operation/live-session.js';

/** Rows per write. The rest follows with the next write. */
const MOST_CHANGES = 1_000;
/** Minimum interval between two writes for mere use of a session. */
const USED_MILLISECONDS = 60_000;
const FRESH_MILLISECONDS = 1_000;

export class SharedSessionList implements SessionsElsewhere {
  readonly #store: NodeStore;
  readonly #node: string;
  readonly #own: () => readonly LiveSession[];
  #written = new Map<string, string>();
  #elsewhere: readonly LiveSession[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(store: NodeStore, node: string, own: () => readonly LiveSession[]) {
    this.#store = store;
    this.#node = node;
    this.#own = own;
  }

  /** Last known sessions of other nodes. Starts the next read in the background. */
  get sessions(): readonly LiveSession[] {
    this.refresh().catch(() => {});
    return this.#elsewhere;
  }

  async refresh(): Promise<void> {
    if (performance.now() - this.#readAt < FRESH_MILLISECONDS) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /**
   * Writes the changes since the last write.
   * @param isNew true if the store has no sessions of this node
   */
  async tell(isNew: boolean): Promise<void> {
    if (isNew) this.#written = new Map();
    const now = new Map(this.#own().map((session) => [session.id, factsOf(session)]));
    const gone = [...this.#written.keys()].filter((id) => !now.has(id)).slice(0, MOST_CHANGES);
    const changed = [...now].filter(([id, facts]) => this.#written.get(id) !== facts).slice(0, MOST_CHANGES);
    if (gone.length === 0 && changed.length === 0) return;
    await this.#store.keepSessions(this.#node, changed, gone);
    for (const id of gone) this.#written.delete(id);
    for (const [id, facts] of changed) this.#written.set(id, facts);
  }

  async #read(): Promise<void> {
    const facts = await this.#store.sessionsElsewhere(this.#node);
    this.#elsewhere = facts.map((text) => JSON.parse(text) as LiveSession);
    this.#readAt = performance.now();
  }
}

function factsOf(session: LiveSession): string {
  const lastUsed = session.lastUsed - (session.lastUsed % USED_MILLISECONDS);
  return JSON.stringify({ ...session, lastUsed: Math.max(lastUsed, session.began) });
}
