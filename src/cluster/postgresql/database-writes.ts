import pg from 'pg';
import type { ErrorCode } from '../../lib/errors.js';
import { messageOf } from '../../lib/text/messages.js';
import { reasonOf } from './database-error.js';

/** How long a failed write counts, and how old the last kept entry may be before a write is tried. */
const REMEMBERED_MILLISECONDS = 10_000;
/** SQLSTATE of faults that concern every write: no room, no resources, a broken disk, a read-only database. */
const OF_EVERY_WRITE = /^(?:53|58|XX|25006)/;

/** The last writes of a process, by the code of their store: what health checks report of them. */
export class DatabaseWrites {
  readonly #now: () => number;
  readonly #failed = new Map<ErrorCode, { readonly reason: string; readonly at: number }>();
  #triedAt = Number.NEGATIVE_INFINITY;
  #tried: string | undefined;

  /** @param now milliseconds of a clock that is never set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  kept(code: ErrorCode): void {
    this.#failed.delete(code);
    // every entry needs new room; other tables reuse the room of removed rows
    if (code === 'SVC_ERR_AUDIT_UNAVAILABLE') this.#noteTry(undefined);
  }

  failed(code: ErrorCode, error: unknown): void {
    const cause = error instanceof Error && error.cause instanceof pg.DatabaseError ? error.cause : undefined;
    if (cause === undefined || !OF_EVERY_WRITE.test(cause.code ?? '')) return;
    this.#failed.set(code, { reason: reasonOf(cause), at: this.#now() });
  }

  /**
   * @param tryWrite writes something and takes it back
   * @returns the reason why nothing can be written; undefined: it can
   */
  async fault(tryWrite: () => Promise<void>): Promise<string | undefined> {
    if (this.#tried !== undefined || this.#now() - this.#triedAt >= REMEMBERED_MILLISECONDS) {
      await tryWrite().then(
        () => this.#noteTry(undefined),
        (error: unknown) => this.#noteTry(messageOf(error)),
      );
    }
    return this.#tried ?? this.#failure;
  }

  #noteTry(fault: string | undefined): void {
    this.#triedAt = this.#now();
    this.#tried = fault;
  }

  get #failure(): string | undefined {
    for (const { reason, at } of this.#failed.values()) {
      if (this.#now() - at < REMEMBERED_MILLISECONDS) return `a change could not be kept: ${reason}`;
    }
    return undefined;
  }
}
