import type { SignOn } from '../../access/sign-on/sign-on-registry.js';
import type { SignOnService } from '../../access/sign-on/sign-on-service.js';
import type { SecurityUser } from '../../access/users/security-database.js';
import type { BrowserSession } from '../../sessions/browser-session.js';

/** Who makes a request. */
export interface Requester {
  readonly user: SecurityUser;
  /** Of the browser that the request came from; undefined: the request itself had user id and password. */
  readonly signOn: SignOn | undefined;
}

/** Of a sign-on at another server no more is known. */
interface KnownRequester extends Pick<Requester, 'user'> {
  readonly signOn: Pick<SignOn, 'id'> | undefined;
}

/** A sign-on has ended. */
export interface SignOnNews {
  readonly ended: string;
  /** The one that its user has begun in the same browser; undefined: none. */
  readonly next?: string;
  /** A newer sign-on has replaced it, because there were as many as allowed. */
  readonly isReplaced?: true;
}

/** Replaced sign-ons whose browsers are told the reason. */
const MOST_REPLACED = 1_000;

/** Sessions of users who have signed on. A session asks nobody who its user is, so somebody has to look. */
export class UserSessions {
  readonly #service: SignOnService;
  readonly #tellOthers: (news: SignOnNews) => void;
  readonly #requesters = new Map<BrowserSession, KnownRequester>();
  /** Ids of replaced sign-ons, the oldest first. */
  readonly #replaced = new Set<string>();

  /** @param tellOthers whoever else may have sessions of the same sign-ons */
  constructor(service: SignOnService, tellOthers: (news: SignOnNews) => void = () => {}) {
    this.#service = service;
    this.#tellOthers = tellOthers;
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
    this.#tellOthers({ ended: ended.id, next: next.id });
    this.heard({ ended: ended.id, next: next.id });
  }

  /** Ends the sessions that were begun with a sign-on, or handed over to it. */
  disconnect({ id }: Pick<SignOn, 'id'>): void {
    this.#tellOthers({ ended: id });
    this.heard({ ended: id });
  }

  /** Ends the sessions of a sign-on that a newer one has replaced, and tells their pages the reason. */
  replace({ id }: Pick<SignOn, 'id'>): void {
    this.#tellOthers({ ended: id, isReplaced: true });
    this.heard({ ended: id, isReplaced: true });
  }

  /** Whether a newer sign-on has replaced this one lately. */
  wasReplaced(id: string): boolean {
    return this.#replaced.has(id);
  }

  /** What became of a sign-on, here or at another server; it may be told again. */
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
