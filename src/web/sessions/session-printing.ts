import type { BrowserSession } from '../../session/browser-session.js';
import type { SessionPrinter } from '../../spool/session-printer.js';
import type { ClientSite } from '../http/client-site.js';

const printers = new WeakMap<BrowserSession, SessionPrinter>();

/** What a session is shown of the printer of its transaction. */
export function printerOf(session: BrowserSession): SessionPrinter | undefined {
  return printers.get(session);
}

/** Once the host has told the logical unit of the display. */
export function openPrinter(site: ClientSite, session: BrowserSession, name: string | undefined): void {
  const printer = name === undefined || !session.isOpen ? undefined : site.printers.openFor(name, session);
  if (printer !== undefined) printers.set(session, printer);
}

/** Whether documents wait that the user of a session may open. */
export async function isPrintReady(site: ClientSite, session: BrowserSession): Promise<boolean> {
  return (await visiblePrinterOf(site, session))?.isReady === true;
}

/** Undefined also where the session has one and its user may not see its documents. */
export async function visiblePrinterOf(
  { security }: Pick<ClientSite, 'security'>,
  session: BrowserSession,
): Promise<SessionPrinter | undefined> {
  const printer = printers.get(session);
  if (printer === undefined) return undefined;
  const user = await security?.userSessions.userOf(session);
  return printer.maySee(user?.groups ?? []) ? printer : undefined;
}
