/** Bounds of a kind of entry that is tallied, for one window of a minute. */
export interface TallyBounds {
  /** Entries with the same facts that are written. */
  readonly alike: number;
  /** Entries of one user, or program, at one address that are written. */
  readonly ofActor: number;
  /** Entries of all users and addresses that are written. */
  readonly ofAll: number;
}

/**
 * `each`: every entry is written. Only the server, commands, operators and administrators cause such entries.
 * `paced`: a change that any client can ask for. The audit trail has an intent and an outcome for each change that is made.
 * Repeated attempts that fail alike share an intent and an outcome, and a client can ask for a limited number a minute.
 * Bounds: the entry reports something that changes nothing. Repeats are counted.
 */
type AuditKeeping = 'each' | 'paced' | TallyBounds;

const each = 'each' satisfies AuditKeeping;
const paced = 'paced' satisfies AuditKeeping;
const tallied = (bounds: Partial<TallyBounds>): TallyBounds => ({ alike: 1, ofActor: 10, ofAll: 200, ...bounds });

/** Every kind of entry, and how entries of this kind are kept. docs/run/audit.md has the same list. */
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

/** Of a kind that is recorded as a change, an entry that reports that nothing was changed: the same macros again. */
const unchanged = tallied({});

/** How a report is kept. Undefined: each is written. */
export function boundsOf(what: AuditKind): TallyBounds | undefined {
  const keeping: AuditKeeping = auditKinds[what];
  if (keeping === 'each') return undefined;
  return keeping === 'paced' ? unchanged : keeping;
}

/** Refusals that name no user and no token of ours: invented names cannot displace the entries of real users. */
export const MOST_OF_UNKNOWN = 10;
