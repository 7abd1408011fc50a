import { messageOf } from '../error-message.js';
import { faultInChain, UnfinishedChanges } from '../security/audit-chain.js';
import { type AuditEntry, type AuditLine, type EntryJson, hashOf, lineOf, readLine } from '../security/audit-entry.js';
import type { TrailHead } from '../security/audit-head.js';
import type { AuditQuery } from '../security/audit-query.js';
import { type AuditPage, findAmong, LONGEST_CHANGE_ENTRIES, searchAmong } from '../security/audit-reading.js';
import type { AuditRecord, TrailState } from '../security/audit-record.js';
import type { NoteOptions } from '../security/audit-tally.js';
import { MOST_LATEST_LINES } from '../security/audit-trail.js';
import { AuditWriting, type AuditWritingTellings } from '../security/audit-writing.js';
import type { Database, Statements, StoreDatabase } from './database.js';
import { lockOf } from './database-lock.js';

/** How far back a process looks that is to append; the rest is for `audit verify`. */
const MOST_FOLLOWED_ENTRIES = 10_000;
const ENTRIES_TOGETHER = 500;
const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER;
const HEAD = 'select sequence, hash from sallyport.audit_head';

/** The audit trail in a table: one chain of all nodes, whose entries are the lines that a file would have. */
export class PostgresqlAuditRecord implements AuditRecord {
  readonly #database: StoreDatabase;
  readonly #writing: AuditWriting;
  /** Up to where this process has followed the chain. */
  #followed: TrailHead | undefined;

  constructor(database: Database, tellings: AuditWritingTellings = {}) {
    this.#database = database.for('SVC_ERR_AUDIT_UNAVAILABLE');
    this.#writing = new AuditWriting((entries, follows) => this.#append(entries, follows), {
      ...tellings,
      now: () => this.#database.clock.now(),
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

  async state(): Promise<TrailState> {
    const unfinished = new UnfinishedChanges();
    try {
      const fault = await this.#database.transaction(lockOf('audit'), async (statements) => {
        const head = await headOf(statements);
        return this.#follow(statements, undefined, head, (line) => unfinished.take(line));
      });
      return { fault, unfinished: unfinished.lines };
    } catch (error) {
      return { fault: messageOf(error), unfinished: unfinished.lines };
    }
  }

  /** One process after the other: each goes on from the head that the one before has left. */
  async #append(entries: readonly EntryJson[], follows: boolean): Promise<number> {
    const { last, isFollowed } = await this.#database.transaction(lockOf('audit'), async (statements) => {
      const head = await headOf(statements);
      const fault = follows ? await this.#follow(statements, this.#followed, head) : undefined;
      if (fault !== undefined) throw new Error(`nothing is appended: ${fault}`);
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
      return { last: { sequence, hash }, isFollowed: follows || this.#followed?.sequence === head.sequence };
    });
    if (isFollowed) this.#followed = last;
    return last.sequence;
  }

  /** Sees to it that what this process has seen stays as it was, and that what others have appended belongs to it. */
  async #follow(
    statements: Statements,
    from: TrailHead | undefined,
    head: TrailHead,
    take: (line: AuditLine) => void = () => {},
  ): Promise<string | undefined> {
    if (head.sequence < (from?.sequence ?? 0)) return 'entries that were there are gone';
    const least = Math.max(0, head.sequence - MOST_FOLLOWED_ENTRIES);
    let position = from !== undefined && from.sequence >= least ? from : undefined;
    let next = position?.sequence ?? least;
    while (next < head.sequence) {
      const rows = await statements.query<{ line: string }>(
        'select line from sallyport.audit_entries where sequence > $1 order by sequence limit $2',
        [next, ENTRIES_TOGETHER],
      );
      if (rows.length === 0) return `there is no entry ${next + 1}, and the last is ${head.sequence}`;
      for (const { line } of rows) {
        const read = readLine(Buffer.from(line));
        if (read.kind === 'fault') return `entry ${next + 1}: ${read.fault}`;
        // a long trail is followed from an entry that is taken as it is
        const previous = position?.hash ?? read.value.previous;
        const fault = faultInChain(read.value, next + 1, previous);
        if (fault !== undefined) return `entry ${next + 1}: ${fault}`;
        take(read.value);
        position = { sequence: read.value.sequence, hash: hashOf(line) };
        next = position.sequence;
      }
    }
    if (next > head.sequence || (position !== undefined && position.hash !== head.hash)) {
      return `the last entry is not the one that the head names: ${head.sequence}:${head.hash}`;
    }
    return undefined;
  }

  /** The last first. Those that are not before the number are left out but for outcomes. */
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

async function headOf(statements: Statements): Promise<TrailHead> {
  const [head] = await statements.query<TrailHead>(`${HEAD} for update`);
  if (head === undefined) throw new Error('the audit trail has no head: it was removed');
  return head;
}
