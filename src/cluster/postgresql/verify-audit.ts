import { faultInChain, UnfinishedChanges } from '../../access/audit/audit-chain.js';
import { hashOf, NO_HASH, readLine } from '../../access/audit/audit-entry.js';
import type { TrailHead } from '../../access/audit/audit-head.js';
import type { VerificationOutcome } from '../../access/audit/audit-verification.js';
import type { Statements } from './database.js';

const ENTRIES_TOGETHER = 1_000;

/**
 * Applies the rules of the file trail.
 * @param expected entry noted earlier
 */
export async function verifyAudit(statements: Statements, expected?: TrailHead): Promise<VerificationOutcome> {
  // Read the head before the trail, because the trail may grow between the two reads.
  const [head] = await statements.query<TrailHead>('select sequence, hash from sallyport.audit_head');
  const known = [expected, head].filter((one) => one !== undefined && one.sequence > 0);
  const unfinished = new UnfinishedChanges();
  let [entries, lastHash] = [0, NO_HASH];
  let lastTime: string | undefined;
  const broken = (line: number, reason: string) => ({ kind: 'broken', fault: { line, reason } }) as const;
  for (;;) {
    const rows = await statements.query<{ line: string }>(
      'select line from sallyport.audit_entries where sequence > $1 order by sequence limit $2',
      [entries, ENTRIES_TOGETHER],
    );
    for (const { line } of rows) {
      const read = readLine(Buffer.from(line));
      if (read.kind === 'fault') return broken(entries + 1, read.fault);
      const fault = faultInChain(read.value, entries + 1, lastHash);
      if (fault !== undefined) return broken(entries + 1, fault);
      [entries, lastHash, lastTime] = [entries + 1, hashOf(line), read.value.time];
      unfinished.take(read.value);
      const other = known.find((one) => one?.sequence === entries && one.hash !== lastHash);
      if (other !== undefined) return broken(entries, `it is not the entry ${other.hash}: it was rewritten`);
    }
    if (rows.length < ENTRIES_TOGETHER) break;
  }
  const missing = known.find((one) => entries < (one?.sequence ?? 0));
  if (missing !== undefined) return broken(missing.sequence, `there is no such entry: the trail ends after ${entries}`);
  const { lines } = unfinished;
  return { kind: 'unbroken', entries, lastHash, lastTime, ...(lines.length === 0 ? {} : { unfinished: lines }) };
}
