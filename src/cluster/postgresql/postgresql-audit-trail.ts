import { UnfinishedChanges } from '../../access/audit/audit-chain.js';
import {
  type AuditEntry,
  type AuditLine,
  type EntryJson,
  hashOf,
  lineOf,
  readLine,
} from '../../access/audit/audit-entry.js';
import type { TrailHead } from '../../access/audit/audit-head.js';
import {
  type AuditPage,
  type AuditQuery,
  findAmong,
  LONGEST_CHANGE_ENTRIES,
  searchAmong,
} from '../../access/audit/audit-reading.js';
import type { NoteOptions } from '../../access/audit/audit-tally.js';
import type { AuditTrail, TrailState } from '../../access/audit/audit-trail.js';
import { AuditWriting, type AuditWritingTellings } from '../../access/audit/audit-writing.js';
import { MOST_LATEST_LINES } from '../../access/audit/file-audit-trail.js';
import { messageOf } from '../../lib/text/messages.js';
import { AuditTableFollower, lockedHeadOf } from './audit-table-follower.js';
import type { Database, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';
import { withinLimit } from './waiting-limit.js';

/** Limit of attempts that first verify entries of other processes. */
const MOST_CATCHING_UP = 3;
const ENTRIES_TOGETHER = 500;
const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER;
const HEAD = 'select sequence, hash from sallyport.audit_head';

/** Audit trail in a table: one chain for all nodes. Each entry is a line as in the file. */
export class PostgresqlAuditTrail implements AuditTrail {
  readonly #database: StoreDatabase;
  readonly #writing: AuditWriting;
  readonly #follower = new AuditTableFollower();

  constructor(database: Database, tellings: AuditWritingTellings = {}) {
    this.#database = database.for('SVC_ERR_AUDIT_UNAVAILABLE');
    const append = (entries: readonly EntryJson[], follows: boolean, until: number) =>
      withinLimit(until, () => this.#append(entries, follows));
    this.#writing = new AuditWriting(append, {
      ...tellings,
      now: () => this.#database.clock.now(),
      until: () => this.#database.until(),
    });
  }

  note(entry: AuditEntry, options?: NoteOptions): Promise<void> {
    return this.#writing.note(entry, options);
  }

  settle(): Promise<void> {
    return this.#writing.settle();
  }

  record<T>(entry: AuditEntry, make: () => Promise<T>, further: readonly AuditEntry[] = []): Promise<T> {
    return this.#writing.record(entry, make, further);
  }

  async latest(count: number, { before = LARGEST_NUMBER } = {}): Promise<readonly AuditLine[]> {
    if (!Number.isInteger(count) || count < 1 || count > MOST_LATEST_LINES) {
      throw new RangeError(`expected a count from 1 to ${MOST_LATEST_LINES}, found ${count}`);
    }
    const extent = { count, before, mostRead: Number.POSITIVE_INFINITY };
    return (await findAmong(this.#entriesFromEnd(before), {}, extent)).entries;
  }

  find(query: AuditQuery, count: number, { before = LARGEST_NUMBER } = {}): Promise<AuditPage> {
    return findAmong(this.#entriesFromEnd(before), query, { count, before });
  }

  search(query: AuditQuery, { before = LARGEST_NUMBER } = {}): AsyncIterable<AuditLine> {
    return searchAmong(this.#entriesFromEnd(before), query, before);
  }

  async head(): Promise<TrailHead | undefined> {
    const [head] = await this.#database.query<TrailHead>(HEAD);
    return head === undefined || head.sequence === 0 ? undefined : head;
  }

  async fault(): Promise<string | undefined> {
    try {
      return this.#writing.failure ?? (await this.#follower.look(this.#database));
    } catch (error) {
      return messageOf(error);
    }
  }

  async state(): Promise<TrailState> {
    const unfinished = new UnfinishedChanges();
    try {
      const fault = await this.#follower.lookAnew(this.#database, (line) => unfinished.take(line));
      return { fault, unfinished: unfinished.lines };
    } catch (error) {
      return { fault: messageOf(error), unfinished: unfinished.lines };
    }
  }

  async #append(entries: readonly EntryJson[], follows: boolean): Promise<number> {
    for (let round = 1; ; round += 1) {
      const number = await this.#appendUnlessFarBehind(entries, follows, round > MOST_CATCHING_UP);
      if (number !== undefined) return number;
      refuseBroken(await this.#follower.look(this.#database));
    }
  }

  /**
   * All servers wait during an append, so a process with many entries to verify does that before the append.
   * @returns undefined if nothing was appended
   */
  async #appendUnlessFarBehind(entries: readonly EntryJson[], follows: boolean, isLast: boolean) {
    const done = await this.#database.transaction(lockOf('audit'), async (statements) => {
      const head = await lockedHeadOf(statements);
      if (follows) {
        if (!isLast && this.#follower.isFarBehind(head)) return undefined;
        refuseBroken(await this.#follower.follow(statements, head, this.#follower.followed));
      }
      let { sequence, hash } = head;
      const lines: string[] = [];
      const time = new Date(this.#database.clock.now()).toISOString();
      for (const entry of entries) {
        sequence += 1;
        const line = lineOf(entry, sequence, time, hash);
        hash = hashOf(line);
        lines.push(line);
      }
      await statements.query(
        `with added as (
           insert into sallyport.audit_entries (sequence, intent, line)
           select $1 + number, intent, line from unnest($2::int8[], $3::text[]) with ordinality as one (intent, line, number)
         )
         update sallyport.audit_head set sequence = $4, hash = $5`,
        [head.sequence, entries.map(({ intent = null }) => intent), lines, sequence, hash],
      );
      return { head, last: { sequence, hash } };
    });
    if (done === undefined) return undefined;
    const { head, last } = done;
    if (follows || this.#follower.followed?.sequence === head.sequence) this.#follower.appended(last);
    return last.sequence;
  }

  /** Last entry first. Of the entries not before `before`, only outcomes are returned. */
  async *#entriesFromEnd(before: number): AsyncGenerator<AuditLine> {
    let next = Math.min(LARGEST_NUMBER, before + LONGEST_CHANGE_ENTRIES);
    for (;;) {
      const rows = await this.#database.query<{ sequence: number; line: string }>(
        `select sequence, line from sallyport.audit_entries
         where sequence < $1 and (sequence < $2 or intent is not null) order by sequence desc limit $3`,
        [next, before, ENTRIES_TOGETHER],
      );
      for (const { sequence, line } of rows) {
        const read = readLine(Buffer.from(line));
        if (read.kind === 'fault') throw new Error(`entry ${sequence} is broken: ${read.fault}`);
        next = sequence;
        yield read.value;
      }
      if (rows.length < ENTRIES_TOGETHER) return;
    }
  }
}

function refuseBroken(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(`nothing is appended: ${fault}`);
}
