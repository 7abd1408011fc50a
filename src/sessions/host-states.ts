import type { BrowserSession } from './browser-session.js';

/** For how long it is believed that a host is as it was: it may be back by now. */
const BELIEVED_MILLISECONDS = 15 * 60_000;

/** What the last sessions tell of a host: nobody connects only to find out. */
export type HostState = 'reached' | 'notReached' | 'unknown';

/** How sessions have found their hosts, by the names of the hosts: those of the configuration, so that there are not too many. */
export class HostStates {
  readonly #found = new Map<string, { readonly isReached: boolean; readonly at: number }>();

  /** Notes whether a session that has just begun gets to its host. */
  watch(session: BrowserSession): void {
    const { conversation, facts } = session;
    void session
      .waitUntil(() => conversation.isConnected)
      .then(() => {
        const { end } = session;
        const hasFailed = end?.kind === 'hostEnded' && (end.cause === 'failed' || end.cause === 'otherProtocol');
        if (conversation.isConnected || hasFailed) {
          this.#found.set(facts.application, { isReached: !hasFailed, at: performance.now() });
        }
      });
  }

  of(application: string): HostState {
    const found = this.#found.get(application);
    if (found === undefined || performance.now() - found.at > BELIEVED_MILLISECONDS) return 'unknown';
    return found.isReached ? 'reached' : 'notReached';
  }
}
