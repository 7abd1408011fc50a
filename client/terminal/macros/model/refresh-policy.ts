/** When the macros of the server are read, other than by the button. */
export type RefreshPolicy = 'never' | 'once' | 'daily' | 'session';

const policies: ReadonlySet<string> = new Set<RefreshPolicy>(['never', 'once', 'daily', 'session']);

/** @param word of the page; `never` where it is missing or unknown */
export function refreshPolicyOf(word: string | undefined): RefreshPolicy {
  return word !== undefined && policies.has(word) ? (word as RefreshPolicy) : 'never';
}

interface ReadingState {
  /** When they were read last; undefined: never, on this browser. */
  readonly readAt: Date | undefined;
  readonly isReadInThisSession: boolean;
  readonly now: Date;
}

/** Who has never read them, reads them. */
export function isReadingDue(policy: RefreshPolicy, { readAt, isReadInThisSession, now }: ReadingState): boolean {
  if (readAt === undefined) return true;
  if (policy === 'daily') return readAt.toDateString() !== now.toDateString();
  return policy === 'session' && !isReadInThisSession;
}
