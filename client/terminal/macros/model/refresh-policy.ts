/** When macros are read from the server without the button. */
export type RefreshPolicy = 'never' | 'once' | 'daily' | 'session';

const policies: ReadonlySet<string> = new Set<RefreshPolicy>(['never', 'once', 'daily', 'session']);

/** @param word from the page; `never` if missing or unknown */
export function refreshPolicyOf(word: string | undefined): RefreshPolicy {
  return word !== undefined && policies.has(word) ? (word as RefreshPolicy) : 'never';
}

interface ReadingState {
  /** Last read in this browser; undefined for never. */
  readonly readAt: Date | undefined;
  readonly isReadInThisSession: boolean;
  readonly now: Date;
}

/** True on the first use, whatever the policy. */
export function isReadingDue(policy: RefreshPolicy, { readAt, isReadInThisSession, now }: ReadingState): boolean {
  if (readAt === undefined) return true;
  if (policy === 'daily') return readAt.toDateString() !== now.toDateString();
  return policy === 'session' && !isReadInThisSession;
}
