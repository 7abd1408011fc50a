import { faultInChain } from '../../access/audit/audit-chain.js';
import { type AuditLine, hashOf, readLine } from '../../access/audit/audit-entry.js';
import type { TrailHead } from '../../access/audit/audit-head.js';
import type { Statements } from './database.js';

/** Entries verified at startup or after falling behind. `audit verify` verifies all. */
const MOST_FOLLOWED_ENTRIES = 10_000;
const ENTRIES_TOGETHER = 500;
const HEAD = 'select sequence, hash from sallyport.audit_head';

/**
 * Verifies the chain of the table from the last verified entry. Needs no lock: entries and head are committed together,
 * and the head is read first.
 */
export class AuditTableFollower {
  #followed: TrailHead | undefined;

  get followed(): TrailHead | undefined {
    return this.#followed;
  }

  isFarBehind(head: TrailHead): boolean {
    return head.sequence - (this.#followed?.sequence ?? 0) > ENTRIES_TOGETHER;
  }

  appended(last: TrailHead): void {
    this.#followed = last;
  }

  async look(statements: Statements): Promise<string | undefined> {
    // Read before the head: this process may append between the two reads.
    const from = this.#followed;
    return this.follow(statements, await headOf(statements, ''), from);
  }

  /** Verifies the last entries, including those already verified. */
  async lookAnew(statements: Statements, take: (line: AuditLine) => void): Promise<string | undefined> {
    return this.follow(statements, await headOf(statements, ''), undefined, take);
  }

  async follow(
    statements: Statements,
    head: TrailHead,
    from: TrailHead | undefined,
    take: (line: AuditLine) => void = () => {},
  ): Promise<string | undefined> {
    if (head.sequence < (from?.sequence ?? 0)) return 'entries are missing';
    const least = Math.max(0, head.sequence - MOST_FOLLOWED_ENTRIES);
    let position = from !== undefined && from.sequence >= least ? from : undefined;
    let next = position?.sequence ?? least;
    while (next < head.sequence) {
      const rows = await statements.query<{ line: string }>(
        'select line from sallyport.audit_entries where sequence > $1 and sequence <= $2 order by sequence limit $3',
        [next, head.sequence, ENTRIES_TOGETHER],
      );
      if (rows.length === 0) return `there is no entry ${next + 1}, and the last is ${head.sequence}`;
      for (const { line } of rows) {
        const read = readLine(Buffer.from(line));
        if (read.kind === 'fault') return `entry ${next + 1}: ${read.fault}`;
        // In a long trail, the first verified entry is not compared with its predecessor.
        const previous = position?.hash ?? read.value.previous;
        const fault = faultInChain(read.value, next + 1, previous);
        if (fault !== undefined) return `entry ${next + 1}: ${fault}`;
        take(read.value);
        position = { sequence: read.value.sequence, hash: hashOf(line) };
        next = position.sequence;
      }
    }
    if (next > head.sequence || (position !== undefined && position.hash !== head.hash)) {
      return `the last entry does not match the head: ${head.sequence}:${head.hash}`;
    }
    if (position !== undefined && position.sequence >= (this.#followed?.sequence ?? 0)) this.#followed = position;
    return undefined;
  }
}

/** Locks the head until the end of the transaction. */
export function lockedHeadOf(statements: Statements): Promise<TrailHead> {
  return headOf(statements, ' for update');
}

async function headOf(statements: Statements, locking: '' | ' for update'): Promise<TrailHead> {
  const [head] = await statements.query<TrailHead>(`${HEAD}${locking}`);
  if (head === undefined) throw new Error('the audit trail has no head: it was removed');
  return head;
}
