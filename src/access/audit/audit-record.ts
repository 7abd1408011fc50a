import type { AuditEntry, AuditLine } from './audit-entry.js';
import type { TrailHead } from './audit-head.js';
import type { AuditPage, AuditQuery } from './audit-reading.js';
import type { NoteOptions } from './audit-tally.js';

/** What a process that begins finds. */
export interface TrailState {
  /** Why nothing can be put on record; undefined: it can. */
  readonly fault: string | undefined;
  /** Changes that were interrupted, the oldest first. */
  readonly unfinished: readonly AuditLine[];
}

/** The record of what was changed and by whom. Entries have a number each: 1, 2, 3 … */
export interface AuditRecord {
  /**
   * Makes a change: that it is about to be made is kept before, and what became of it afterwards.
   *
   * @param further what it brings along, each with an entry of its own once it is done
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE where that cannot be, SVC_ERR_AUDIT_PACE for too many changes of one client:
   *   nothing was changed then. What `make` throws.
   */
  record<T>(entry: AuditEntry, make: () => Promise<T>, further?: readonly AuditEntry[]): Promise<T>;
  /**
   * Keeps an entry of what changes nothing. Repeats of most kinds are counted (`audit-kinds`).
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE
   */
  note(entry: AuditEntry, options?: NoteOptions): Promise<void>;
  /** Keeps the numbers of what was only counted. Rejects if not all of it is kept. */
  settle(): Promise<void>;
  /**
   * At most `count` (1 to MOST_LATEST_LINES) entries, newest first: the last ones, or the last before that number. An
   * intent is among them only where it has no outcome.
   *
   * @throws RangeError for another count, Error where the record cannot be read
   */
  latest(count: number, options?: { readonly before?: number }): Promise<readonly AuditLine[]>;
  /**
   * At most `count` entries that are asked for, newest first, among the last before a number. Not all of a long record is read at
   * once: `next` says where to go on.
   * @throws Error where the record cannot be read
   */
  find(query: AuditQuery, count: number, options?: { readonly before?: number }): Promise<AuditPage>;
  /**
   * All entries that are asked for, newest first, before a number where one is given; each is read when it is asked for.
   * @throws Error where the record cannot be read
   */
  search(query: AuditQuery, options?: { readonly before?: number }): AsyncIterable<AuditLine>;
  /**
   * The last entry: with it kept elsewhere, a record that was cut off is found. Undefined where there is none.
   * @throws Error where the record cannot be read
   */
  head(): Promise<TrailHead | undefined>;
  /** Verifies the last entries, for a process that starts. */
  state(): Promise<TrailState>;
  /**
   * The reason why no entry can be kept now; undefined: entries can be kept. A look continues from the last verified entry and
   * takes no lock, so health checks may look often.
   */
  fault(): Promise<string | undefined>;
}
