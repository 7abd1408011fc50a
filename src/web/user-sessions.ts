import type { SecurityUser } from '../security/security-database.js';
import type { SignOnService } from '../security/sign-on-service.js';
import type { BrowserSession } from '../session/browser-session.js';

/** Sessions of users who have signed on. A session asks nobody who its user is, so somebody has to look. */
export class UserSessions {
  readonly #service: SignOnService;
  readonly #users = new Map<BrowserSession, SecurityUser>();

  constructor(service: SignOnService) {
    this.#service = service;
  }

  add(session: BrowserSession, user: SecurityUser): void {
    this.#users.set(session, user);
    session.whenEnded(() => this.#users.delete(session));
  }

  /**
   * Ends the sessions of users who were removed, have expired or have another password. While the database cannot be asked they
   * go on.
   */
  async review(): Promise<void> {
    const currents = new Map<string, Promise<SecurityUser | undefined>>();
    for (const [session, user] of [...this.#users]) {
      const key = `${user.name} ${user.passwordSet ?? ''}`;
      const current = currents.get(key) ?? this.#service.current(user).catch(() => user);
      currents.set(key, current);
      if ((await current) === undefined) session.disconnect();
    }
  }
}
