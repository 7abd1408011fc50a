import type { SecurityUser } from '../../security/security-database.js';
import type { SignOn } from '../../security/sign-on-registry.js';
import type { SignOnService } from '../../security/sign-on-service.js';
import type { BrowserSession } from '../../session/browser-session.js';

/** Who makes a request. */
export interface Requester {
  readonly user: SecurityUser;
  /** Of the browser that the request came from; undefined: the request itself had user id and password. */
  readonly signOn: SignOn | undefined;
}

/** Sessions of users who have signed on. A session asks nobody who its user is, so somebody has to look. */
export class UserSessions {
  readonly #service: SignOnService;
  readonly #requesters = new Map<BrowserSession, Requester>();

  constructor(service: SignOnService) {
    this.#service = service;
  }

  add(session: BrowserSession, requester: Requester): void {
    this.#requesters.set(session, requester);
    session.whenEnded(() => this.#requesters.delete(session));
  }

  /** Who began a session, as the database has the user now; undefined: nobody who has signed on, or it cannot be told. */
  async userOf(session: BrowserSession): Promise<SecurityUser | undefined> {
    const requester = this.#requesters.get(session);
    return requester === undefined ? undefined : this.#service.current(requester.user).catch(() => undefined);
  }

  /** Sessions of a sign-on that its user's next one in the same browser has ended: they end with that one. */
  handOver(ended: SignOn, next: SignOn): void {
    for (const [session, requester] of this.#requesters) {
      if (requester.signOn?.id === ended.id) this.#requesters.set(session, { ...requester, signOn: next });
    }
  }

  /** Ends the sessions that were begun with a sign-on, or handed over to it. */
  disconnect(signOn: Pick<SignOn, 'id'>): void {
    for (const [session, requester] of [...this.#requesters]) {
      if (requester.signOn?.id === signOn.id) session.disconnect();
    }
  }

  /**
   * Ends the sessions of users who were removed, have expired or have another password. While the database cannot be asked they
   * go on.
   */
  async review(): Promise<void> {
    const currents = new Map<string, Promise<SecurityUser | undefined>>();
    for (const [session, { user }] of [...this.#requesters]) {
      const key = `${user.name} ${user.passwordSet ?? ''}`;
      const current = currents.get(key) ?? this.#service.current(user).catch(() => user);
      currents.set(key, current);
      if ((await current) === undefined) session.disconnect();
    }
  }
}
