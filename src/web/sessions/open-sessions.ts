import type { IncomingMessage } from 'node:http';
import { prefixCodeOf } from '../../lib/network/node-code.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { nodeOfCode } from '../../sessions/session-code.js';
import type { ClientSite } from '../http/client-site.js';
import { arrivalOf, carriedOf } from '../http/request-sender.js';
import { sessionCookieLabels, sessionCookiesOf, sessionLabel } from './session-cookie.js';
import { viewOf } from './view-state.js';

/** Facts about a session for its own browser. Contains no session code. */
export interface OpenSession {
  /** End of the cookie's name; useless without the cookie. */
  readonly label: string;
  readonly name: string;
  readonly transaction: string;
  readonly host: string;
  readonly logicalUnit: string;
  /** Path of the page shown last. */
  readonly path: string;
  readonly sinceSeconds: number;
  readonly idleSeconds: number;
}

const SESSIONS_ADDRESS = '/w2h/sessions';
const MOST_NODES_ASKED = 8;

/** Sessions for which the request has cookies, on all nodes that can be reached. */
export async function openSessions(site: ClientSite, incoming: IncomingMessage): Promise<readonly OpenSession[]> {
  const { nodes, sessions, line } = site;
  const own = openSessionsHere(site, incoming);
  if (nodes === undefined || arrivalOf(incoming) !== 'client') return own;
  const found = new Set(sessionCookieLabels(incoming).flatMap((label) => nodeOfCode(label) ?? []));
  found.delete(sessions.node ?? '');
  const asked = [...found].slice(-MOST_NODES_ASKED).map(async (node) => {
    try {
      // any worker of the node's machine may receive the request
      const carried = { ...carriedOf(incoming, line.name), repeatedBy: node };
      const answer = await nodes.ask(node, SESSIONS_ADDRESS, incoming, carried);
      return (JSON.parse(answer) as { readonly sessions: readonly OpenSession[] }).sessions;
    } catch {
      return [];
    }
  });
  return [...own, ...(await Promise.all(asked)).flat()];
}

function openSessionsHere(site: ClientSite, incoming: IncomingMessage): readonly OpenSession[] {
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
      path: `/${prefixCodeOf(session.options.node)}${encodeURIComponent(viewOf(session).shown.page.name)}++$UseCookieSession$=${label}`,
      sinceSeconds: Math.floor((now - use.begun) / 1_000),
      idleSeconds: Math.floor((now - use.last) / 1_000),
    };
  });
}

function nameOf({ entryPoint }: ClientSite, { facts }: BrowserSession): string {
  return entryPoint.transaction(facts.transaction)?.description || facts.transaction;
}
