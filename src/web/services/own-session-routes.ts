import { type ErrorCode, ServiceError } from '../../lib/errors.js';
import { applicationTypes, openTo, type Transaction } from '../../lines/entry-point/transaction.js';
import { runSteps } from '../../services/run-steps.js';
import type { ServiceStep } from '../../services/service-definition.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { noTerminalWishes } from '../../sessions/session-host.js';
import type { Answer } from '../http/answer.js';
import { requestNames } from '../http/request-names.js';
import { ordererOf, senderAddress } from '../http/request-sender.js';
import { scenarioRequest } from '../scenarios/request-input.js';
import { SessionScenarioRuns } from '../scenarios/session-scenario-runs.js';
import { screenFacts } from '../sessions/screen-json.js';
import { refuseIfOver, rememberSite, sessionRulesOf } from '../sessions/session-opening.js';
import type { ApiRequest } from './api-caller.js';
import { callRefused } from './call-answer.js';
import { idempotencyKeyOf, onceForKey } from './idempotent-call.js';
import { objectOf, readJsonBody, valuesRefused } from './json-body.js';
import { OWN_SESSION_IDLE_MILLISECONDS } from './own-sessions.js';
import { jsonAnswer, outcomeAnswer, ProblemError } from './problem.js';

const SESSIONS_PATH = '/api/v1/sessions';
const MINUTE = 60_000;

/**
 * Answers `POST /api/v1/sessions`: starts a session and waits for the first screen of the host.
 * @throws ServiceError SVC_ERR_SERVICE_PARAMETERS, SVC_ERR_TRANSACTION_*, SVC_ERR_SESSION_LIMIT, SVC_ERR_HOST_*,
 * SVC_ERR_IDEMPOTENCY_*
 */
export async function beginSession(request: ApiRequest): Promise<Answer> {
  const key = idempotencyKeyOf(request.incoming);
  const { transaction, bytes } = await wantedTransaction(request);
  if (key === undefined) return beginForClient(request, transaction);
  const carryOut = async () => {
    const { handle, session } = request.services.ownSessions.begin(request.caller.key, () =>
      begun(request, transaction),
    );
    return { answer: await firstScreen(handle, session), isCarriedOut: true };
  };
  // a failed start leaves no session, so the key can be used again
  return onceForKey(request, { key, called: SESSIONS_PATH, body: bytes, carryOut, isUntouched: () => true });
}

/** Ends the session if its client does not receive the handle. */
async function beginForClient(request: ApiRequest, transaction: Transaction): Promise<Answer> {
  const { services, caller, gone } = request;
  const { handle, session } = services.ownSessions.begin(caller.key, () => begun(request, transaction));
  const leave = () => session.disconnect();
  gone.addEventListener('abort', leave);
  if (gone.aborted) leave();
  try {
    return { ...(await firstScreen(handle, session)), whenLost: leave };
  } finally {
    gone.removeEventListener('abort', leave);
  }
}

async function firstScreen(handle: string, session: BrowserSession): Promise<Answer> {
  try {
    await session.settled();
    refuseIfOver(session);
    return jsonAnswer(201, { handle, screen: screenFacts(session) }, ['Location', `${SESSIONS_PATH}/${handle}`]);
  } catch (error) {
    session.disconnect();
    throw error;
  }
}

async function wantedTransaction({
  incoming,
  site,
}: ApiRequest): Promise<{ readonly transaction: Transaction; readonly bytes: Buffer }> {
  const { bytes, value, repeated } = await readJsonBody(incoming);
  const { transaction: name, ...others } = objectOf(value);
  const stray = Object.keys(others).map((key) => ({ pointer: `/${key}`, message: 'There is no such member here.' }));
  const faults = [
    ...(repeated.has('/transaction') ? [{ pointer: '/transaction', message: 'It occurs more than once.' }] : []),
    ...(typeof name === 'string' ? [] : [{ pointer: '/transaction', message: 'Expected the name of a transaction.' }]),
    ...stray,
  ];
  if (faults.length > 0 || typeof name !== 'string') throw valuesRefused(faults);
  const transaction = site.entryPoint.transaction(name);
  if (transaction === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_UNKNOWN');
  if (transaction.applicationType !== applicationTypes.hostApplication) {
    throw new ServiceError('SVC_ERR_TRANSACTION_UNAVAILABLE');
  }
  return { transaction, bytes };
}

function begun({ site, request, caller, incoming }: ApiRequest, transaction: Transaction): BrowserSession {
  const { sessions, hosts, line, entryPoint } = site;
  const { name, directory, timeoutMinutes } = entryPoint.definition;
  const { user } = caller;
  const ofEntryPoint = timeoutMinutes === 0 ? Number.MAX_SAFE_INTEGER : timeoutMinutes * MINUTE;
  const idleMilliseconds = Math.min(OWN_SESSION_IDLE_MILLISECONDS, ofEntryPoint);
  const names = requestNames(site, request, {
    page: '',
    directory,
    transaction,
    routingParameter: undefined,
    user,
  });
  const told = scenarioRequest(site, request, names, { parameters: new Map(), files: [] });
  // scenarios must not receive the caller's credentials
  const { authorization: _, ...headers } = incoming.headers;
  const { session } = sessions.begin({
    openTo: openTo(transaction.security),
    facts: {
      line: line.name,
      entryPoint: name,
      transaction: transaction.externalName,
      application: transaction.application ?? '',
      address: senderAddress(incoming),
      directory,
      routingParameter: '',
      user: user?.name ?? '',
      group: user?.groups[0] ?? '',
    },
    host: hosts.get(transaction.application ?? ''),
    limits: line.limits,
    times: { idleMilliseconds, initialMilliseconds: idleMilliseconds, awayMilliseconds: idleMilliseconds },
    // no field encryption: programs rely on TLS
    crypt: undefined,
    wishes: { ...noTerminalWishes, logmode: transaction.logmode },
    tioaAtLogon: transaction.tioaAtLogon,
    tioaAtLogoff: transaction.tioaAtLogoff,
    scenarios: new SessionScenarioRuns(site, transaction, { ...told, headers }),
    rules: sessionRulesOf(site, transaction, user && { user }),
    parameter: () => undefined,
  });
  rememberSite(session, site);
  if (user !== undefined) site.security?.userSessions.add(session, { user, signOn: undefined });
  return session;
}

/** Answers `GET …/sessions/HANDLE/screen`. @throws ServiceError SVC_ERR_SESSION_UNKNOWN */
export async function showScreen({ services, caller }: ApiRequest, handle: string): Promise<Answer> {
  const session = services.ownSessions.find(caller.key, handle);
  await session.visible();
  refuseIfOver(session);
  return jsonAnswer(200, screenFacts(session));
}

const notActed: ReadonlySet<ErrorCode> = new Set(['SVC_ERR_SESSION_UNKNOWN', 'SVC_ERR_SESSION_BUSY']);

/**
 * Answers `POST …/sessions/HANDLE/steps`: runs the steps in the order of their array.
 * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_SESSION_BUSY, SVC_ERR_SERVICE_PARAMETERS,
 * SVC_ERR_IDEMPOTENCY_*, and the error of a failed step
 */
export async function takeSteps(request: ApiRequest, handle: string): Promise<Answer> {
  const { services, caller, incoming, gone } = request;
  const key = idempotencyKeyOf(incoming);
  // with a key, the stored answer is available even after the session has ended
  if (key === undefined) services.ownSessions.find(caller.key, handle);
  const { bytes, value, repeated } = await readJsonBody(incoming);
  if (repeated.size > 0) {
    throw valuesRefused([...repeated].map((pointer) => ({ pointer, message: 'It occurs more than once.' })));
  }
  const read = await services.steps.read(value, bytes.length, ordererOf(incoming, gone));
  if (read.kind === 'faults') throw valuesRefused(read.faults);
  if (key === undefined) return walked(request, handle, read.steps, gone);
  const carryOut = async () => ({
    answer: await walked(request, handle, read.steps, new AbortController().signal),
    isCarriedOut: true,
  });
  const called = `${SESSIONS_PATH}/${handle}/steps`;
  return onceForKey(request, { key, called, body: bytes, carryOut, isUntouched: ({ code }) => notActed.has(code) });
}

function walked(
  { services, caller, requestId, incoming }: ApiRequest,
  handle: string,
  steps: readonly ServiceStep[],
  signal: AbortSignal,
): Promise<Answer> {
  return services.ownSessions.acting(caller.key, handle, async (session) => {
    const walked = session.guarded.walk(senderAddress(incoming));
    const outcome = await runSteps({ session: walked, screens: services.screens, steps, values: new Map(), signal });
    await session.visible();
    // the last screen of the host, but not of a FINAL scenario
    const isShown = session.isOpen || session.end?.kind === 'hostEnded';
    const screen = isShown ? { screen: screenFacts(session) } : {};
    if (outcome.kind === 'done') return jsonAnswer(200, { extracts: outcome.extracts, ...screen });
    if (outcome.kind === 'answered') return outcomeAnswer(outcome, requestId, screen);
    const error = callRefused(outcome, true);
    const members = error instanceof ProblemError ? error.members : {};
    throw new ProblemError(error.code, { ...members, ...screen }, { headers: error.headers });
  });
}

/** Answers `DELETE …/sessions/HANDLE`. @throws ServiceError SVC_ERR_SESSION_UNKNOWN */
export async function endSession({ services, caller }: ApiRequest, handle: string): Promise<Answer> {
  services.ownSessions.find(caller.key, handle).disconnect();
  return { status: 204, headers: ['Cache-Control', 'no-store'], body: Buffer.alloc(0) };
}
