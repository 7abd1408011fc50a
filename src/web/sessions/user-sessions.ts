import type { SignOn } from '../../access/sign-on/sign-on-registry.js';
import type { SignOnService } from '../../access/sign-on/sign-on-service.js';
import type { SecurityUser } from '../../access/users/user-store.js';
import type { BrowserSession } from '../../sessions/browser-session.js';

export interface Requester {
  readonly user: SecurityUser;
  /** Undefined if the request itself contained user ID and password. */
  readonly signOn: SignOn | undefined;
}

/** Sign-ons at other servers are known only by ID. */
interface KnownRequester extends Pick<Requester, 'user'> {
  readonly signOn: Pick<SignOn, 'id'> | undefined;
}

export interface SignOnNews {
  readonly ended: string;
  readonly next?: string;
  /** True if a newer sign-on replaced it because the user had reached the maximum. */
  readonly isReplaced?: true;
}

/** Replaced sign-ons for which browsers can still show the reason. */
const MOST_REPLACED = 1_000;

/** Sessions of signed-on users. Sessions do not check their user themselves; `review` does. */
export class UserSessions {
  readonly #service: SignOnService;
  readonly #tellOthers: (news: SignOnNews) => void;
  readonly #requesters = new Map<BrowserSession, KnownRequester>();
  readonly #replaced = new Set<string>();

  /** @param tellOthers notifies other servers and workers, which may have sessions of the same sign-on */
  constructor(service: SignOnService, tellOthers: (news: SignOnNews) => void = () => {}) {
    this.#service = service;
    this.#tellOthers = tellOthers;
  }

  add(session: BrowserSession, requester: Requester): void {
    this.#requesters.set(session, requester);
    session.whenEnded(() => this.#requesters.delete(session));
  }

  /** The user of a session with current data; undefined without a sign-on or if the database is not available. */
  async userOf(session: BrowserSession): Promise<SecurityUser | undefined> {
    const requester = this.#requesters.get(session);
    return requester === undefined ? undefined : this.#service.current(requester.user).catch(() => undefined);
  }

  handOver(ended: SignOn, next: SignOn): void {
    this.#tellOthers({ ended: ended.id, next: next.id });
    this.heard({ ended: ended.id, next: next.id });
  }

  disconnect({ id }: Pick<SignOn, 'id'>): void {
    this.#tellOthers({ ended: id });
    this.heard({ ended: id });
  }

  replace({ id }: Pick<SignOn, 'id'>): void {
    this.#tellOthers({ ended: id, isReplaced: true });
    this.heard({ ended: id, isReplaced: true });
  }

  /** Covers only recently replaced sign-ons. */
  wasReplaced(id: string): boolean {
    return this.#replaced.has(id);
  }

  /** Applies news from this or another server. Idempotent. */
  heard({ ended, next, isReplaced }: SignOnNews): void {
    if (isReplaced) this.#noteReplaced(ended);
    for (const [session, requester] of [...this.#requesters]) {
      if (requester.signOn?.id !== ended) continue;
      if (isReplaced) session.endBySignOn();
      else if (next === undefined) session.disconnect();
      else this.#requesters.set(session, { ...requester, signOn: { id: next } });
    }
  }

  #noteReplaced(id: string): void {
    this.#replaced.add(id);
    for (const oldest of this.#replaced) {
      if (this.#replaced.size <= MOST_REPLACED) break;
      this.#replaced.delete(oldest);
    }
  }

  /**
   * Ends the sessions of users who were removed, have expired or have a new password. Sessions continue while the
   * database is not available.
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
