import type { SignOn } from '../security/sign-on-registry.js';
import type { BrowserSession } from '../session/browser-session.js';

const sessions = new WeakMap<SignOn, Set<BrowserSession>>();

/** The session is over when its user signs off. */
export function endWithSignOn(session: BrowserSession, signOn: SignOn): void {
  let begun = sessions.get(signOn);
  if (begun === undefined) {
    begun = new Set();
    sessions.set(signOn, begun);
  }
  const those = begun;
  those.add(session);
  session.whenEnded(() => those.delete(session));
}

export function disconnectSessionsOf(signOn: SignOn): void {
  for (const session of sessions.get(signOn) ?? []) session.disconnect();
}
