import type { IncomingMessage } from 'node:http';
import { prefixCodeOf } from '../../node-code.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { ClientSite } from '../http/client-site.js';
import { sessionCookiesOf, sessionLabel } from './session-cookie.js';
import { shownPageOf } from './shown-page.js';

/** What the browser that a session belongs to is told of it: no code is in it. */
interface OpenSession {
  /** The end of the name of its cookie; it leads nowhere without the cookie. */
  readonly label: string;
  /** Given by its user, else what the transaction is called. */
  readonly name: string;
  readonly transaction: string;
  readonly host: string;
  /** Empty where the host has given none. */
  readonly logicalUnit: string;
  /** Of the page that it showed last. */
  readonly path: string;
  readonly sinceSeconds: number;
  readonly idleSeconds: number;
}

/** The sessions of a line that a request has the cookies of: its browser's own ones, and nobody else's. */
export function openSessions(site: ClientSite, incoming: IncomingMessage): readonly OpenSession[] {
  const now = performance.now();
  return site.sessions.registry.ofCookies(site.line.name, sessionCookiesOf(incoming)).map((session) => {
    const { facts, use, conversation } = session;
    const label = sessionLabel(session.code);
    return {
      label,
      name: use.name || nameOf(site, session),
      transaction: facts.transaction,
      host: facts.application,
      logicalUnit: conversation.deviceName ?? '',
      path: `/${prefixCodeOf(session.options.node)}${encodeURIComponent(shownPageOf(session).name)}++$UseCookieSession$=${label}`,
      sinceSeconds: Math.floor((now - use.begun) / 1_000),
      idleSeconds: Math.floor((now - use.last) / 1_000),
    };
  });
}

function nameOf({ entryPoint }: ClientSite, { facts }: BrowserSession): string {
  return entryPoint.transaction(facts.transaction)?.description || facts.transaction;
}
