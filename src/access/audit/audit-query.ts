import type { AuditLine } from './audit-entry.js';

/** How a change may have ended; what only reports has no outcome. */
export const auditOutcomes = ['done', 'failed', 'unfinished'] as const;
type AuditOutcome = (typeof auditOutcomes)[number];

/** What entries are looked for; what is not given is not asked for. Texts are found in any case of letters. */
export interface AuditQuery {
  /** Part of who did it, or of the address. */
  readonly who?: string | undefined;
  /** Part of the address. */
  readonly address?: string | undefined;
  /** Part of the word for what was done. */
  readonly what?: string | undefined;
  /** Part of anything in the entry. */
  readonly text?: string | undefined;
  /** Days, `YYYY-MM-DD` in UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
}

/** Whether an entry is one of those; an intent is asked for only where it has no outcome. */
export function isAskedFor(line: AuditLine, { who, address, what, text, from, to, outcome }: AuditQuery): boolean {
  const day = line.time.slice(0, 10);
  return (
    (who === undefined || holds(line.who, who) || holds(line.from, who)) &&
    (address === undefined || holds(line.from, address)) &&
    (what === undefined || holds(line.what, what)) &&
    (from === undefined || day >= from) &&
    (to === undefined || day <= to) &&
    (outcome === undefined || outcomeOf(line) === outcome) &&
    (text === undefined || holds(JSON.stringify(line), text))
  );
}

function outcomeOf({ stage }: AuditLine): AuditOutcome | undefined {
  return stage === 'intended' ? 'unfinished' : stage;
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
