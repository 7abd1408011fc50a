import { ServiceError } from '../../lib/errors.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { newSessionCode } from '../../sessions/session-code.js';

const MOST_SESSIONS_OF_CALLER = 20;
export const OWN_SESSION_IDLE_MILLISECONDS = 600_000;
const RETRY_AFTER_SECONDS = 30;

interface OwnSession {
  readonly session: BrowserSession;
  readonly caller: string;
  isBusy: boolean;
}

/**
 * Sessions that programs keep over several calls. Handles are secret and valid only for the caller that started the
 * session.
 */
export class OwnSessions {
  readonly #sessions = new Map<string, OwnSession>();
  readonly #ofCallers = new Map<string, number>();

  /** @throws ServiceError SVC_ERR_SESSION_LIMIT before `begin` is called */
  begin(caller: string, begin: () => BrowserSession): { readonly handle: string; readonly session: BrowserSession } {
    const count = this.#ofCallers.get(caller) ?? 0;
    if (count >= MOST_SESSIONS_OF_CALLER) {
      throw new ServiceError('SVC_ERR_SESSION_LIMIT', {
        detail: { code: 'session.mostOfCaller', values: { most: MOST_SESSIONS_OF_CALLER } },
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      });
    }
    const session = begin();
    const handle = newSessionCode(session.options.node);
    this.#sessions.set(handle, { session, caller, isBusy: false });
    this.#ofCallers.set(caller, count + 1);
    session.whenEnded(() => {
      this.#sessions.delete(handle);
      const left = (this.#ofCallers.get(caller) ?? 1) - 1;
      if (left === 0) this.#ofCallers.delete(caller);
      else this.#ofCallers.set(caller, left);
    });
    return { handle, session };
  }

  find(caller: string, handle: string): BrowserSession {
    const { session } = this.#found(caller, handle);
    session.seen();
    return session;
  }

  /**
   * Runs `work` with exclusive use of a session.
   * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_SESSION_BUSY, and the errors of `work`
   */
  async acting<T>(caller: string, handle: string, work: (session: BrowserSession) => Promise<T>): Promise<T> {
    const own = this.#found(caller, handle);
    if (own.isBusy) throw new ServiceError('SVC_ERR_SESSION_BUSY', { headers: { 'Retry-After': '1' } });
    own.isBusy = true;
    own.session.seen();
    try {
      return await work(own.session);
    } finally {
      own.isBusy = false;
      if (own.session.isOpen) own.session.seen();
    }
  }

  #found(caller: string, handle: string): OwnSession {
    const own = this.#sessions.get(handle);
    if (own === undefined || own.caller !== caller || !own.session.isOpen) {
      throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    }
    return own;
  }
}
