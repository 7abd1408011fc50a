import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { ServiceError } from '../lib/errors.js';
import type { Reason } from '../lib/locale.js';
import {
  type LiveSession,
  type LiveSessions,
  type OperableSession,
  type ScreenWatch,
  type ScreenWatcher,
  type SessionReport,
  type SessionsElsewhere,
  sessionReport,
} from './live-session.js';

type SessionWord = 'session.ended' | 'session.messageSent' | 'session.watched';

/**
 * Operations on sessions, for the portal and commands. If the audit trail is not available, an operation is not
 * executed. Callers check permissions: administrators may watch, operators may do the rest.
 */
export class SessionOperations {
  readonly #sessions: LiveSessions;
  readonly #audit: () => AuditTrail;
  readonly #elsewhere: SessionsElsewhere | undefined;

  /** @param elsewhere sessions of other nodes, for lists only: operations must be sent to their node */
  constructor(sessions: LiveSessions, audit: () => AuditTrail, elsewhere?: SessionsElsewhere) {
    this.#elsewhere = elsewhere;
    this.#sessions = sessions;
    this.#audit = audit;
  }

  list(): readonly LiveSession[] {
    return [...this.#sessions.list(), ...(this.#elsewhere?.sessions ?? [])];
  }

  /** Requests reports of other nodes; on errors the last reports remain. */
  async refresh(): Promise<void> {
    await this.#elsewhere?.refresh().catch(() => {});
  }

  /** @throws ServiceError SVC_ERR_SESSION_UNKNOWN */
  report(id: string): SessionReport {
    return sessionReport(this.#found(id).facts);
  }

  /** The session may take seconds to end. @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE */
  async end(actor: Actor, id: string): Promise<void> {
    await this.#record(actor, 'session.ended', id, undefined, (session) => session.end());
  }

  /**
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_MESSAGE_CONTENT, SVC_ERR_OPERATION_REFUSED,
   * SVC_ERR_AUDIT_UNAVAILABLE
   */
  async send(actor: Actor, id: string, written: string): Promise<void> {
    const text = readMessage(written);
    checkShown(this.#found(id));
    await this.#record(actor, 'session.messageSent', id, { text }, (session) => {
      checkShown(session)(text, actor.who);
    });
  }

  /** @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE */
  async watch(actor: Actor, id: string, watcher: ScreenWatcher): Promise<ScreenWatch> {
    checkWatched(this.#found(id));
    return this.#record(actor, 'session.watched', id, undefined, (session) =>
      checkWatched(session)(watcher, actor.who),
    );
  }

  async #record<T>(
    actor: Actor,
    what: SessionWord,
    id: string,
    after: object | undefined,
    make: (session: OperableSession) => T,
  ): Promise<T> {
    const { facts } = this.#found(id);
    const entry: AuditEntry = { ...actor, what, subject: `session ${id}`, before: recordedFacts(facts), after };
    // the session may have ended while the audit entry was written
    return this.#audit().record(entry, async () => make(this.#found(id)));
  }

  #found(id: string): OperableSession {
    const session = this.#sessions.find(id);
    if (session === undefined) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    return session;
  }
}

/** Identifiers of sessions are useless later, so the audit trail stores the facts. */
function recordedFacts({ kind, user, address, line, transaction, host, logicalUnit, began }: LiveSession): object {
  return { kind, user, address, line, transaction, host, logicalUnit, began: new Date(began).toISOString() };
}

function checkShown({ show, facts }: OperableSession): NonNullable<OperableSession['show']> {
  if (show === undefined || facts.state === 'ending') throw operationRefused({ code: 'session.noDisplay' });
  return show;
}

function checkWatched({ watch, facts }: OperableSession): NonNullable<OperableSession['watch']> {
  if (watch === undefined || facts.state === 'ending') throw operationRefused({ code: 'session.noViewer' });
  return watch;
}

function operationRefused(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
}

export const LONGEST_MESSAGE_CHARACTERS = 300;

/** @throws ServiceError SVC_ERR_MESSAGE_CONTENT */
function readMessage(written: string): string {
  const text = written.replace(/\s+/gu, ' ').trim();
  if (text === '') throw unreadable({ code: 'message.empty' });
  if ([...text].length > LONGEST_MESSAGE_CHARACTERS) {
    throw unreadable({ code: 'message.long', values: { most: LONGEST_MESSAGE_CHARACTERS } });
  }
  // neither control characters nor characters that change the text direction
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(text)) throw unreadable({ code: 'message.character' });
  return text;
}

function unreadable(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_MESSAGE_CONTENT', { detail });
}
