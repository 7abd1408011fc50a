import { NOBODY_SIGNED_ON } from '../../access/audit/audit-entry.js';
import { type ErrorCode, ServiceError } from '../../lib/errors.js';
import { publicDetail } from '../../lib/locale.js';
import { openTo, type Transaction } from '../../lines/entry-point/transaction.js';
import type { ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { TerminalWish } from '../../scenarios/session-effects.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import {
  FIRST_REQUEST_MILLISECONDS,
  RELOAD_MILLISECONDS,
  type SessionFacts,
  type SessionRules,
} from '../../sessions/session-facts.js';
import type { TerminalWishes } from '../../sessions/session-host.js';
import type { FoundFile } from '../../templates/compiled-template.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { embeddedCookie, isFramedByEmbedder } from '../http/content-security-policy.js';
import { isEmbeddedElsewhere } from '../http/request-origin.js';
import { parameterNamed } from '../http/request-parameters.js';
import type { TransactionPath } from '../http/request-path.js';
import { senderAddress } from '../http/request-sender.js';
import { staticAnswer } from '../pages/static-answer.js';
import { sessionScenarios } from '../scenarios/session-scenario-runs.js';
import { sessionCookie, withdrawnLeftOvers } from './session-cookie.js';
import { openPrinter } from './session-printing.js';
import { scenarioEndAnswer, sessionAnswer } from './session-rendering.js';
import type { Requester } from './user-sessions.js';

const sites = new WeakMap<BrowserSession, ClientSite>();

/** The pages and transactions of a session's start. They stay in use after a reload of the line. */
export function siteOf(session: BrowserSession): ClientSite | undefined {
  return sites.get(session);
}

export function rememberSite(session: BrowserSession, site: ClientSite): void {
  sites.set(session, site);
}

const deviceNameInUrl = /^(?:ForceLUNAME|TNLUNAME)=(.{1,32})$/i;
const LONGEST_PARAMETER = 256;

interface SessionStart {
  readonly transaction: Transaction;
  readonly page: FoundFile;
  readonly requested: { readonly page: string; readonly directory: string };
  readonly scenario: ScenarioRequest;
  readonly requester: Requester | undefined;
  readonly wishes: ReadonlyMap<TerminalWish, string>;
}

/**
 * Answers `GET /<page>+<transaction>` of application type 1: starts a session, waits up to 5 s for the host's first
 * screen and shows it.
 * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_HOST_*, SVC_ERR_REQUEST_PARAMETERS
 */
export async function openSession(
  site: ClientSite,
  request: ClientRequest<TransactionPath>,
  { transaction, page, requested, scenario, requester, wishes }: SessionStart,
): Promise<Answer> {
  const { incoming, parameters } = request;
  if (page.kind === 'static') return staticAnswer(page, incoming.headers);
  if (isEmbeddedElsewhere(incoming) && !isFramedByEmbedder(site, incoming))
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const { sessions, hosts, line, entryPoint } = site;
  const { definition } = entryPoint;
  const idleMilliseconds =
    definition.timeoutMinutes === 0 ? Number.MAX_SAFE_INTEGER : definition.timeoutMinutes * 60_000;
  const { initialTimeoutSeconds } = page.template.uses;
  const initialMilliseconds =
    initialTimeoutSeconds === undefined
      ? Math.min(FIRST_REQUEST_MILLISECONDS, idleMilliseconds)
      : initialTimeoutSeconds * 1_000;
  const scenarios = sessionScenarios(site, transaction, scenario);
  const { session, cookie } = sessions.begin({
    openTo: openTo(transaction.security),
    facts: sessionFactsOf(site, request, { transaction, directory: requested.directory, requester }),
    host: hosts.get(transaction.application ?? ''),
    limits: line.limits,
    times: {
      idleMilliseconds,
      initialMilliseconds,
      awayMilliseconds: Math.max(definition.awayMinutes * 60_000, RELOAD_MILLISECONDS),
    },
    crypt: transaction.crypt,
    wishes: terminalWishesOf(request, transaction, wishes),
    tioaAtLogon: transaction.tioaAtLogon,
    tioaAtLogoff: transaction.tioaAtLogoff,
    scenarios,
    rules: sessionRulesOf(site, transaction, requester),
    parameter: (name) => boundedParameter(parameters, name),
  });
  rememberSite(session, site);
  if (requester !== undefined) site.security?.userSessions.add(session, requester);
  const leave = () => session.disconnect();
  request.signal.addEventListener('abort', leave);
  // the client may have disconnected during the lookup of page and user
  if (request.signal.aborted) leave();
  try {
    const { signOn } = requester ?? {};
    // a sign-off before this session was registered has not ended it
    if (signOn !== undefined && (await site.security?.signOns.hasEnded(signOn)) === true) session.disconnect();
    await session.settled();
    openPrinter(site, session, transaction.printer);
    const visit = { site, session, request, template: page.template, requested };
    const ending = session.isOpen ? undefined : await scenarioEndAnswer(visit);
    if (ending !== undefined) return ending;
    refuseIfOver(session);
    const answer = await sessionAnswer(visit);
    const cookies = [
      embeddedCookie(site, incoming, sessionCookie(incoming, session.code, cookie)),
      ...withdrawnLeftOvers(incoming, site.sessions.node, (value) => sessions.registry.isOpen(value)),
    ];
    return {
      ...answer,
      headers: [...answer.headers, ...cookies.flatMap((line) => ['Set-Cookie', line])],
      whenLost: leave,
    };
  } catch (error) {
    session.disconnect();
    throw error;
  } finally {
    request.signal.removeEventListener('abort', leave);
  }
}

const codes: Readonly<Partial<Record<string, ErrorCode>>> = {
  deviceRefused: 'SVC_ERR_HOST_DEVICE',
  otherProtocol: 'SVC_ERR_HOST_PROTOCOL',
};

/** @throws ServiceError if the session has ended or never reached the host */
export function refuseIfOver({ end, isOpen }: BrowserSession): void {
  if (end === undefined && isOpen) return;
  if (end?.kind === 'hostEnded') {
    const { cause, detail } = end;
    throw new ServiceError(codes[cause] ?? 'SVC_ERR_HOST_REFUSED', { detail: publicDetail(detail) });
  }
  if (end?.kind === 'failed') throw new ServiceError('SVC_ERR_SERVICE_FAILED', { detail: end.detail });
  throw new ServiceError(end?.kind === 'stopped' ? 'SVC_ERR_SERVICE_STOPPING' : 'SVC_ERR_SESSION_UNKNOWN');
}

export function sessionFactsOf(
  { line, entryPoint }: ClientSite,
  { incoming, path }: ClientRequest<TransactionPath>,
  {
    transaction,
    directory,
    requester,
  }: Pick<SessionStart, 'transaction' | 'requester'> & { readonly directory: string },
): SessionFacts {
  return {
    line: line.name,
    entryPoint: entryPoint.definition.name,
    transaction: transaction.externalName,
    application: transaction.application ?? '',
    address: senderAddress(incoming),
    directory,
    routingParameter: path.userData ?? '',
    user: requester?.user.name ?? '',
    group: requester?.user.groups[0] ?? '',
  };
}

/**
 * Terminal options from the query (reference 1.2), otherwise from the IDENTIFICATION scenario, otherwise from the
 * transaction.
 * @throws ServiceError SVC_ERR_REQUEST_PARAMETERS
 */
export function terminalWishesOf(
  { parameters, path }: ClientRequest<TransactionPath>,
  { logmode }: Transaction,
  wishes: ReadonlyMap<TerminalWish, string>,
): TerminalWishes {
  const said = (name: string, wish: TerminalWish) => boundedParameter(parameters, name) ?? wishes.get(wish);
  return {
    rows: numberOf('ROWS', said('ROWS', 'SCREEN-LINES')),
    columns: numberOf('COLS', said('COLS', 'SCREEN-COLUMNS')),
    codePage: boundedParameter(parameters, 'CODEPAGE'),
    logmode: said('LOGMODE', 'LOGMODE') ?? logmode,
    deviceName: deviceNameInUrl.exec(path.userData ?? '')?.[1] ?? wishes.get('RELAY'),
  };
}

function numberOf(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d{1,3}$/.test(written)) return Number(written);
  throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.number', values: { name } } });
}

export function boundedParameter(parameters: ReadonlyMap<string, readonly string[]>, name: string): string | undefined {
  return parameterNamed(parameters, name)?.slice(0, LONGEST_PARAMETER);
}

/** Rules of a transaction for the user who starts a session. They stay in use after a reload of the line. */
export function sessionRulesOf(
  { security, audit }: Pick<ClientSite, 'security' | 'audit'>,
  { fileTransfer, application: host = '' }: Transaction,
  requester: Pick<Requester, 'user'> | undefined,
): SessionRules {
  return {
    transfer: async () => {
      if (fileTransfer === undefined || fileTransfer.groups.length === 0) return fileTransfer;
      // current groups from the database
      const user = requester && (await security?.service.current(requester.user).catch(() => undefined));
      return user?.groups.some((group) => fileTransfer.groups.includes(group)) === true ? fileTransfer : undefined;
    },
    record: ({ direction, hostFile, bytes, from }, make) =>
      audit.record(
        {
          who: requester?.user.name ?? NOBODY_SIGNED_ON,
          from,
          what: direction === 'send' ? 'file.sent' : 'file.received',
          subject: `host ${host}`,
          after: { file: hostFile, bytes },
        },
        make,
      ),
  };
}
