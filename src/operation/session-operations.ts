import type { Actor, AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditRecord } from '../access/audit/audit-record.js';
import { ServiceError } from '../lib/errors.js';
import type {
  LiveSession,
  LiveSessions,
  OperableSession,
  ScreenWatch,
  ScreenWatcher,
  SessionsElsewhere,
} from './live-session.js';

type SessionWord = 'session.ended' | 'session.messageSent' | 'session.watched';

/**
 * What operators do with sessions, whoever asks for it: pages of the portal and commands. What cannot be put on record is not done.
 * Who may do it is the affair of whoever calls: watching is for administrators, the rest for operators.
 */
export class SessionOperations {
  readonly #sessions: LiveSessions;
  readonly #audit: () => AuditRecord;
  readonly #elsewhere: SessionsElsewhere | undefined;

  /** @param elsewhere of other servers; undefined: there are none. What is done with those is done there. */
  constructor(sessions: LiveSessions, audit: () => AuditRecord, elsewhere?: SessionsElsewhere) {
    this.#elsewhere = elsewhere;
    this.#sessions = sessions;
    this.#audit = audit;
  }

  /** Those of all servers that are not over, in no order; of other servers what they have told last. */
  list(): readonly LiveSession[] {
    return [...this.#sessions.list(), ...(this.#elsewhere?.sessions ?? [])];
  }

  /** Has other servers tell theirs; where they cannot, they are listed as they were told last. */
  async refresh(): Promise<void> {
    await this.#elsewhere?.refresh().catch(() => {});
  }

  /** @throws ServiceError SVC_ERR_SESSION_UNKNOWN */
  existing(id: string): LiveSession {
    return this.#found(id).facts;
  }

  /**
   * Ends a session in an orderly way, which takes some seconds where its host is slow.
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE
   */
  async end(actor: Actor, id: string): Promise<void> {
    await this.#record(actor, 'session.ended', id, undefined, (session) => session.end());
  }

  /**
   * Shows the user of a session a message.
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_MESSAGE_CONTENT, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
  async send(actor: Actor, id: string, written: string): Promise<void> {
    const text = readMessage(written);
    checkShown(this.#found(id));
    await this.#record(actor, 'session.messageSent', id, { text }, (session) => {
      checkShown(session)(text, actor.who);
    });
  }

  /**
   * Shows a session to somebody else than its user, who is told for as long as it lasts.
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_OPERATION_REFUSED, SVC_ERR_AUDIT_UNAVAILABLE
   */
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
    // it may have ended before the intent was written
    return this.#audit().record(entry, async () => make(this.#found(id)));
  }

  #found(id: string): OperableSession {
    const session = this.#sessions.find(id);
    if (session === undefined) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    return session;
  }
}

/** So that the trail says whose session it was when nobody remembers its identifier. */
function recordedFacts({ kind, user, address, line, transaction, host, logicalUnit, began }: LiveSession): object {
  return { kind, user, address, line, transaction, host, logicalUnit, began: new Date(began).toISOString() };
}

function checkShown({ show, facts }: OperableSession): NonNullable<OperableSession['show']> {
  if (show === undefined || facts.state === 'ending') throw refused('Nobody would read a message in this session.');
  return show;
}

function checkWatched({ watch, facts }: OperableSession): NonNullable<OperableSession['watch']> {
  if (watch === undefined || facts.state === 'ending') throw refused('Nobody has this session on a screen.');
  return watch;
}

function refused(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_OPERATION_REFUSED', { detail });
}

/** What one line of a page shows; it is no place for letters. */
export const LONGEST_MESSAGE_CHARACTERS = 300;

/**
 * A message for the user of a session, as it is shown: in one line.
 * @throws ServiceError SVC_ERR_MESSAGE_CONTENT
 */
function readMessage(written: string): string {
  const text = written.replace(/\s+/gu, ' ').trim();
  if (text === '') throw unreadable('It is empty.');
  if ([...text].length > LONGEST_MESSAGE_CHARACTERS) {
    throw unreadable(`It has more than ${LONGEST_MESSAGE_CHARACTERS} characters.`);
  }
  // neither control characters nor what turns the direction of the text around it
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(text)) throw unreadable('It holds a character that cannot be shown.');
  return text;
}

function unreadable(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_MESSAGE_CONTENT', { detail });
}
