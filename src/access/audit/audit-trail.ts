import type { AuditEntry, AuditLine } from './audit-entry.js';
import type { TrailHead } from './audit-head.js';
import type { AuditPage, AuditQuery } from './audit-reading.js';
import type { NoteOptions } from './audit-tally.js';

export interface TrailState {
  readonly fault: string | undefined;
  readonly unfinished: readonly AuditLine[];
}

/** The audit trail in any storage. Entries are numbered from 1. */
export interface AuditTrail {
  /**
   * Writes the intent, makes the change, then writes the outcome.
   * @param further entries for side effects of the change, written with the outcome
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE if the intent cannot be written, SVC_ERR_AUDIT_PACE if a client
   * requests too many changes, both before anything is changed. Errors of `make` are passed on.
   */
  record<T>(entry: AuditEntry, make: () => Promise<T>, further?: readonly AuditEntry[]): Promise<T>;
  /**
   * Writes an entry about an event that changes nothing. Repeats of most kinds are only counted (`audit-kinds`).
   * @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE
   */
  note(entry: AuditEntry, options?: NoteOptions): Promise<void>;
  /** Writes the pending counts. Rejects if a count is not written. */
  settle(): Promise<void>;
  /**
   * Returns at most `count` (1 to MOST_LATEST_LINES) entries, newest first, before a sequence number if one is given.
   * An intent is returned only if it has no outcome.
   * @throws RangeError for another count, Error if the record cannot be read
   */
  latest(count: number, options?: { readonly before?: number }): Promise<readonly AuditLine[]>;
  /**
   * Returns at most `count` matching entries, newest first. A long record is searched in parts: continue with `before`
   * set to `next`.
   * @throws Error if the record cannot be read
   */
  find(query: AuditQuery, count: number, options?: { readonly before?: number }): Promise<AuditPage>;
  /**
   * All matching entries, newest first, read on demand.
   * @throws Error if the record cannot be read
   */
  search(query: AuditQuery, options?: { readonly before?: number }): AsyncIterable<AuditLine>;
  /**
   * Last entry, or undefined if the record is empty. A copy kept elsewhere reveals a truncated record.
   * @throws Error if the record cannot be read
   */
  head(): Promise<TrailHead | undefined>;
  state(): Promise<TrailState>;
  /**
   * Reason why entries cannot be written now, or undefined. Each call continues from the last verified entry and takes
   * no lock, so health checks may call it often.
   */
  fault(): Promise<string | undefined>;
}
