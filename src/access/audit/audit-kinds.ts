/** Limits for counted entries, per window of one minute. Further entries are counted, not written. */
export interface TallyBounds {
  /** Written entries with the same facts. */
  readonly alike: number;
  /** Written entries of one user or program at one address. */
  readonly ofActor: number;
  /** Written entries of all users and addresses. */
  readonly ofAll: number;
}

/**
 * `each`: every entry is written. Only the server, commands, operators and administrators cause such entries.
 * `paced`: changes that any client can request. The audit trail has an intent and an outcome for each. Repeated
 * attempts that fail share an intent and an outcome, and the requests of a client per minute are limited.
 * Limits: the entry reports an event that changes nothing. Repeats are counted.
 */
type AuditKeeping = 'each' | 'paced' | TallyBounds;

const each = 'each' satisfies AuditKeeping;
const paced = 'paced' satisfies AuditKeeping;
const tallied = (bounds: Partial<TallyBounds>): TallyBounds => ({ alike: 1, ofActor: 10, ofAll: 200, ...bounds });

/** All kinds of entries. Keep the list in docs/run/audit.md the same. */
export const auditKinds = {
  'audit.exported': each,
  'configuration.refused': tallied({ alike: 10 }),
  'configuration.reloaded': each,
  'data.backedUp': each,
  'data.restored': each,
  'document.opened': tallied({ ofActor: 30, ofAll: 2_000 }),
  'document.printed': each,
  'draft.removed': each,
  'draft.stored': paced,
  'file.received': paced,
  'file.sent': paced,
  'group.added': each,
  'group.changed': each,
  'group.removed': each,
  'line.drained': each,
  'line.started': each,
  'line.stopped': each,
  'macros.removed': paced,
  'macros.restored': paced,
  'macros.uploaded': paced,
  'operation.refused': tallied({ alike: 10 }),
  'pool.drained': each,
  'pool.resumed': each,
  'server.drained': each,
  'server.restarted': each,
  'service.published': each,
  'service.tried': each,
  'session.ended': each,
  'session.messageSent': each,
  'session.watched': each,
  'token.added': each,
  'token.refused': tallied({ ofAll: 10 }),
  'token.revoked': each,
  'token.used': tallied({ alike: 10, ofAll: 2_000 }),
  'trace.read': tallied({ alike: 10 }),
  'trace.removed': each,
  'trace.started': each,
  'trace.stopped': each,
  'trail.continued': each,
  'trail.removed': each,
  'trail.repaired': each,
  'user.added': each,
  'user.changed': each,
  'user.locked': each,
  'user.passwordSet': each,
  'user.removed': each,
  'user.signOnRefused': tallied({ ofActor: 20, ofAll: 20 }),
  'user.signedOff': tallied({ alike: 10, ofAll: 10_000 }),
  'user.signedOn': tallied({ alike: 10, ofAll: 10_000 }),
  'user.unlocked': each,
} as const satisfies Readonly<Record<string, AuditKeeping>>;

export type AuditKind = keyof typeof auditKinds;

/** Limits for an entry of a `paced` kind that reports that nothing changed, for example unchanged macros. */
const unchanged = tallied({});

export function boundsOf(what: AuditKind): TallyBounds | undefined {
  const keeping: AuditKeeping = auditKinds[what];
  if (keeping === 'each') return undefined;
  return keeping === 'paced' ? unchanged : keeping;
}

/**
 * Separate limit for refused sign-ons with an unknown user or token, so that invented names do not displace entries of
 * real users.
 */
export const MOST_OF_UNKNOWN = 10;
