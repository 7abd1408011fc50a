import type { Transaction } from '../../entry-point/transaction.js';
import { ServiceError } from '../../errors.js';
import type { ScenarioRequest } from '../../scenario/scenario-outcome.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { SessionVariables } from '../../session/session-facts.js';
import type { TerminalWishes } from '../../session/session-service.js';
import type { StopSignal } from '../../stop-signal.js';
import type { FoundFile } from '../../template/found-file.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { clientAddress } from '../http/request-names.js';
import { isEmbeddedElsewhere } from '../http/request-origin.js';
import { parameterNamed } from '../http/request-parameters.js';
import type { TransactionPath } from '../http/request-path.js';
import { staticAnswer } from '../pages/static-answer.js';
import { sessionCookie, withdrawnLeftOvers } from './session-cookie.js';
import { sessionAnswer } from './session-rendering.js';
import { rememberSite } from './session-site.js';
import type { Requester } from './user-sessions.js';

const deviceNameInUrl = /^(?:ForceLUNAME|TNLUNAME)=(.{1,32})$/i;
/** Characters of a parameter that are looked at. */
const LONGEST_PARAMETER = 256;

/** What a session begins with. */
interface SessionStart {
  readonly transaction: Transaction;
  readonly page: FoundFile;
  readonly requested: { readonly page: string; readonly directory: string };
  readonly scenario: ScenarioRequest;
  readonly requester: Requester | undefined;
}

/**
 * Answers `GET /<page>+<transaction>` of application type 1: begins a session, waits for the host's first screen (5 s at most)
 * and shows it.
 * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_HOST_*, SVC_ERR_REQUEST_PARAMETERS
 */
export async function openSession(
  site: ClientSite,
  request: ClientRequest<TransactionPath>,
  { transaction, page, requested, scenario, requester }: SessionStart,
): Promise<Answer> {
  const { incoming, path, parameters } = request;
  if (page.kind === 'static') return staticAnswer(page, incoming.headers);
  if (isEmbeddedElsewhere(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const { sessions, hosts, line, entryPoint } = site;
  const { definition } = entryPoint;
  const idleMilliseconds =
    definition.timeoutMinutes === 0 ? Number.MAX_SAFE_INTEGER : definition.timeoutMinutes * 60_000;
  const initialSeconds = page.template.uses.initialTimeoutSeconds;
  const forced = deviceNameInUrl.exec(path.userData ?? '')?.[1];
  const facts = {
    line: line.name,
    entryPoint: definition.name,
    transaction: transaction.externalName,
    application: transaction.application ?? '',
    address: clientAddress(incoming.socket.remoteAddress) ?? '',
    directory: requested.directory,
    routingParameter: path.userData ?? '',
    user: requester?.user.name ?? '',
    group: requester?.user.groups[0] ?? '',
  };
  const { session, cookie } = sessions.begin({
    facts,
    host: hosts.get(facts.application),
    limits: line.limits,
    times: {
      idleMilliseconds,
      initialMilliseconds: initialSeconds === undefined ? idleMilliseconds : initialSeconds * 1_000,
    },
    crypt: transaction.crypt,
    wishes: wishesOf(parameters, forced, transaction.logmode),
    tioaAtLogon: transaction.tioaAtLogon,
    tioaAtLogoff: transaction.tioaAtLogoff,
    runScenario: (which, signal) => runSessionScenario(site, transaction, which, scenario, signal),
    parameter: (name) => boundedParameter(parameters, name),
  });
  rememberSite(session, site);
  if (requester !== undefined) site.security?.userSessions.add(session, requester);
  const leave = () => session.disconnect();
  request.signal.addEventListener('abort', leave);
  // the client may have gone while its page and its user were looked for
  if (request.signal.aborted) leave();
  try {
    const { signOn } = requester ?? {};
    // a sign-off that came before this session was known has not ended it
    if (signOn !== undefined && (await site.security?.signOns.hasEnded(signOn)) === true) session.disconnect();
    await session.settled();
    refuseIfOver(session);
    const answer = await sessionAnswer({ site, session, request, template: page.template, requested });
    const cookies = [
      sessionCookie(incoming, session.code, cookie),
      ...withdrawnLeftOvers(incoming, (value) => sessions.registry.isOpen(value)),
    ];
    return {
      ...answer,
      headers: [...answer.headers, ...cookies.flatMap((line) => ['Set-Cookie', line])],
      whenLost: leave,
    };
  } catch (error) {
    // nobody has the code of this session
    session.disconnect();
    throw error;
  } finally {
    request.signal.removeEventListener('abort', leave);
  }
}

/** @throws ServiceError where the host has ended the session, or was never there */
function refuseIfOver({ end, isOpen }: BrowserSession): void {
  if (end === undefined && isOpen) return;
  if (end?.kind === 'hostEnded') {
    const { cause, detail } = end;
    throw new ServiceError(cause === 'deviceRefused' ? 'SVC_ERR_HOST_DEVICE' : 'SVC_ERR_HOST_REFUSED', { detail });
  }
  if (end?.kind === 'failed') throw new ServiceError('SVC_ERR_SERVICE_FAILED', { detail: end.detail });
  throw new ServiceError(end?.kind === 'stopped' ? 'SVC_ERR_SERVICE_STOPPING' : 'SVC_ERR_SESSION_UNKNOWN');
}

/** `&/S` at logon and at logoff; what it leaves is there for the pages of the session. */
async function runSessionScenario(
  site: ClientSite,
  transaction: Transaction,
  which: 'initial' | 'final',
  request: ScenarioRequest,
  signal: StopSignal,
): Promise<SessionVariables | undefined> {
  const initialScenario = which === 'initial' ? transaction.initialScenario : transaction.finalScenario;
  if (initialScenario === undefined) return undefined;
  const outcome = await site.runScenario({ ...transaction, initialScenario }, request, signal);
  return outcome.kind === 'page' ? outcome : undefined;
}

/** Query overrides of reference 1.2. */
function wishesOf(
  parameters: ReadonlyMap<string, readonly string[]>,
  deviceName: string | undefined,
  logmode: string | undefined,
): TerminalWishes {
  return {
    rows: numberOf(parameters, 'ROWS'),
    columns: numberOf(parameters, 'COLS'),
    codePage: boundedParameter(parameters, 'CODEPAGE'),
    logmode: boundedParameter(parameters, 'LOGMODE') ?? logmode,
    deviceName,
  };
}

function numberOf(parameters: ReadonlyMap<string, readonly string[]>, name: string): number | undefined {
  const written = boundedParameter(parameters, name);
  if (written === undefined) return undefined;
  if (/^\d{1,3}$/.test(written)) return Number(written);
  throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: `${name} is a number.` });
}

function boundedParameter(parameters: ReadonlyMap<string, readonly string[]>, name: string): string | undefined {
  return parameterNamed(parameters, name)?.slice(0, LONGEST_PARAMETER);
}
