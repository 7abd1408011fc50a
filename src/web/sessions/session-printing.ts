import { NOBODY_SIGNED_ON } from '../../access/audit/audit-entry.js';
import { ServiceError } from '../../lib/errors.js';
import type { SessionPrinter } from '../../printing/session-printer.js';
import type { SpooledDocument } from '../../printing/spool-store.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { ClientSite } from '../http/client-site.js';
import { viewOf } from './view-state.js';

/** Must be called after the host has assigned the display's logical unit. */
export function openPrinter(site: ClientSite, session: BrowserSession, name: string | undefined): void {
  const printer = name === undefined || !session.isOpen ? undefined : site.printers.openFor(name, session);
  if (printer !== undefined) viewOf(session).printer = printer;
}

interface DocumentVisit {
  readonly site: Pick<ClientSite, 'security' | 'printers'>;
  readonly session: BrowserSession;
  readonly from: string;
}

interface OpenedDocument {
  readonly printer: SessionPrinter;
  readonly document: SpooledDocument;
}

export async function documentPrinterOf(
  site: Pick<ClientSite, 'security'>,
  session: BrowserSession,
): Promise<SessionPrinter> {
  const printer = await visiblePrinterOf(site, session);
  if (printer === undefined) throw new ServiceError('SVC_ERR_PRINT_UNKNOWN');
  return printer;
}

/**
 * All access to documents goes through this function: it checks the user's permission and writes the audit entry before
 * opening the document.
 * @param number undefined opens the next waiting document
 * @throws ServiceError SVC_ERR_PRINT_UNKNOWN, SVC_ERR_AUDIT_UNAVAILABLE
 */
export async function openDocument(
  { site, session, from }: DocumentVisit,
  number: string | undefined,
): Promise<OpenedDocument> {
  const printer = await documentPrinterOf(site, session);
  const facts = number === undefined ? printer.next : printer.list().find((one) => String(one.number) === number);
  if (facts === undefined) throw new ServiceError('SVC_ERR_PRINT_UNKNOWN');
  const { user } = session.facts;
  await site.printers.noteOpened({ who: user === '' ? NOBODY_SIGNED_ON : user, from }, printer.name, facts.number);
  const document = await printer.open(facts.number);
  if (document === undefined) throw new ServiceError('SVC_ERR_PRINT_UNKNOWN');
  return { printer, document };
}

export async function isPrintReady(site: ClientSite, session: BrowserSession): Promise<boolean> {
  return (await visiblePrinterOf(site, session))?.isReady === true;
}

/** Undefined also if the session's user may not see the documents. */
export async function visiblePrinterOf(
  { security }: Pick<ClientSite, 'security'>,
  session: BrowserSession,
): Promise<SessionPrinter | undefined> {
  const { printer } = viewOf(session);
  if (printer === undefined) return undefined;
  const user = await security?.userSessions.userOf(session);
  return printer.maySee(user?.groups ?? []) ? printer : undefined;
}
