import type { BrowserSession } from '../../sessions/browser-session.js';
import type { ClientSite } from '../http/client-site.js';

const sites = new WeakMap<BrowserSession, ClientSite>();

/** What a session was opened with: its pages and transactions stay, also where its line has others by now. */
export function siteOf(session: BrowserSession): ClientSite | undefined {
  return sites.get(session);
}

export function rememberSite(session: BrowserSession, site: ClientSite): void {
  sites.set(session, site);
}
