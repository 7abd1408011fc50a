import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import {
  applicationTypes,
  openTo,
  type SecurityLevel,
  securityLevels,
  type Transaction,
} from '../../lines/entry-point/transaction.js';
import type { ScenarioOutcome, ScenarioRequest } from '../../scenarios/scenario-outcome.js';
import type { TerminalWish } from '../../scenarios/session-effects.js';
import { type ServiceRequest, serviceKey } from '../../sessions/scenario-sessions.js';
import type { FoundFile } from '../../templates/compiled-template.js';
import type { ItemNames } from '../../templates/render.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import { type ClientSite, defaultPageName } from '../http/client-site.js';
import { allowingScripts, pagePolicy, withPolicy } from '../http/content-security-policy.js';
import { bodyReader } from '../http/request-body.js';
import { requestNames } from '../http/request-names.js';
import { isForeignSubmit } from '../http/request-origin.js';
import type { TransactionPath } from '../http/request-path.js';
import { withHeaders } from '../http/response-headers.js';
import { pageDirectoryOf } from '../pages/page-directory.js';
import { noRunValues, type RunValues, renderedAnswer } from '../pages/page-rendering.js';
import { staticAnswer } from '../pages/static-answer.js';
import { boundedParameter, openSession, sessionFactsOf, terminalWishesOf } from '../sessions/session-opening.js';
import type { Requester } from '../sessions/user-sessions.js';
import { answerSignOn, isSignOn, signOnForm } from '../sign-on/sign-on-form.js';
import { accessTo } from '../sign-on/signed-on-user.js';
import { type Identification, identify } from './identification.js';
import { requestInput, scenarioRequest } from './request-input.js';
import { scenarioAnswer } from './session-scenario-runs.js';

/** Runs the INITIAL scenario (specification 2.2). */
const START_ORDER = '&/S';

const servedTypes: readonly number[] = [applicationTypes.hostApplication, applicationTypes.serverProgram];

/** Host sessions start only with GET; their forms are sent to the session's own path. */
const scenarioMethods: readonly string[] = ['GET', 'HEAD', 'POST'];
const sessionMethods: readonly string[] = ['GET'];

export function scenarioRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  router.all(
    /^[^+]*\+[^+]/,
    bodyReader(site),
    answeringOnly('transaction', (request) => answerTransaction(site, request)),
  );
  return router;
}

/**
 * Answers `GET /<template>+<transaction>` (specification 4.1), HEAD and POST of a scenario transaction, and the
 * transaction's sign-on form. All checks precede the scenario's run.
 * @throws ServiceError SVC_ERR_REQUEST_*, SVC_ERR_TRANSACTION_*, SVC_ERR_TEMPLATE_UNKNOWN, SVC_ERR_SIGNON_*, and the
 * errors of the run
 */
async function answerTransaction(site: ClientSite, request: ClientRequest<TransactionPath>): Promise<Answer> {
  const { path, incoming } = request;
  const identification = await identify(site, request);
  const transaction = servedTransaction(site, identification.transaction);
  const pageDirectory = pageDirectoryOf(site.entryPoint, path.directories);
  const isHostApplication = transaction.applicationType === applicationTypes.hostApplication;
  const levels = [transaction.security, pageDirectory.security].filter((level) => level !== securityLevels.public);
  const { security } = site;
  const isPost = incoming.method === 'POST';
  if (isPost && security !== undefined && levels.includes(securityLevels.form)) {
    if (isHostApplication || isSignOn(request)) {
      return answerSignOn(site, request, { security, crypt: transaction.crypt });
    }
  }
  checkMethod(incoming.method, isHostApplication ? sessionMethods : scenarioMethods);
  const isPublic = levels.length === 0;
  // the browser sends the user's cookies and credentials with forms of any origin
  const isForeign = isPost && isForeignSubmit(incoming);
  if (isForeign && !isPublic) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const isNobodys = isForeign || (isPublic && !isHostApplication && incoming.headers.cookie === undefined);
  const identified = identifiedRequester(site, levels, identification);
  const who = identified ?? (isNobodys ? undefined : await requesterOf(site, levels, request));
  if (who === 'form') {
    if (security === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
    return signOnForm(site, request, { security, crypt: transaction.crypt });
  }
  const granted = { transaction, directory: pageDirectory.name, requester: who, identification };
  if (isPublic && who === undefined) return grantedAnswer(site, request, granted);
  const answer = await grantedAnswer(site, request, granted);
  // shared caches must not keep answers for signed-on users
  return { ...answer, headers: withHeaders(answer.headers, [['Cache-Control', 'no-store']]) };
}

function checkMethod(method: string | undefined, taken: readonly string[]): void {
  if (taken.includes(method ?? '')) return;
  throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: taken.join(', ') } });
}

interface Granted {
  readonly transaction: Transaction;
  readonly directory: string;
  readonly requester: Requester | undefined;
  readonly identification: Identification;
}

async function grantedAnswer(
  site: ClientSite,
  request: ClientRequest<TransactionPath>,
  { transaction, directory, requester, identification }: Granted,
): Promise<Answer> {
  const { path } = request;
  const pageName = path.page === '' ? defaultPageName(site) : path.page;
  const looked = site.findPage(directory, pageName);
  const page = existing(looked instanceof Promise ? await looked : looked);
  const names = requestNames(site, request, {
    page: pageName,
    directory,
    transaction,
    routingParameter: path.userData,
    user: requester?.user,
  });
  if (transaction.applicationType === applicationTypes.hostApplication) {
    const requested = { page: pageName, directory };
    const scenario = scenarioRequest(site, request, names, { parameters: request.parameters, files: [] });
    const { wishes } = identification;
    return openSession(site, request, { transaction, page, requested, scenario, requester, wishes });
  }
  const isHosted = transaction.application !== undefined && site.hosts.has(transaction.application);
  if (!isHosted && !transaction.tioaAtLogon.includes(START_ORDER)) {
    return pageAnswer(site, request, { page, names, transaction, variables: noRunValues });
  }
  const input = await requestInput(request);
  const scenario = scenarioRequest(site, request, names, input);
  const { initialScenario } = transaction;
  const outcome: ScenarioOutcome = isHosted
    ? await runHostedScenario(site, request, {
        transaction,
        directory,
        requester,
        scenario,
        wishes: identification.wishes,
      })
    : (await site.scenarios.run(initialScenario, 'INITIAL', scenario, request.signal)).outcome;
  if (outcome.kind === 'answer') return scenarioAnswer(outcome, transaction.contentSecurityPolicy);
  const shown = outcome.page === undefined ? page : existing(await site.findPage(directory, outcome.page));
  return pageAnswer(site, request, { page: shown, names, transaction, variables: outcome });
}

function identifiedRequester(
  { security }: ClientSite,
  levels: readonly SecurityLevel[],
  { requester }: Identification,
): Requester | undefined {
  const enough: readonly SecurityLevel[] = [securityLevels.basic, securityLevels.form, securityLevels.signedOnAlready];
  return security !== undefined && levels.every((level) => enough.includes(level)) ? requester : undefined;
}

async function requesterOf(
  site: ClientSite,
  levels: readonly SecurityLevel[],
  { incoming }: ClientRequest,
): Promise<Requester | 'form' | undefined> {
  let found: Requester | undefined;
  for (const level of levels.length === 0 ? [securityLevels.public] : levels) {
    const access = await accessTo(site, level, incoming);
    if (access.kind === 'form') return access.kind;
    found = access.requester;
  }
  return found;
}

function servedTransaction({ entryPoint }: ClientSite, name: string): Transaction {
  const transaction = entryPoint.transaction(name);
  if (transaction === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_UNKNOWN');
  if (!servedTypes.includes(transaction.applicationType)) {
    throw new ServiceError('SVC_ERR_TRANSACTION_UNAVAILABLE');
  }
  return transaction;
}

function existing(page: FoundFile | undefined): FoundFile {
  if (page === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  return page;
}

interface ShownPage {
  readonly page: FoundFile;
  readonly names: ItemNames;
  readonly transaction: Transaction;
  readonly variables: RunValues;
}

async function pageAnswer(
  site: ClientSite,
  { incoming }: ClientRequest,
  { page, names, transaction, variables }: ShownPage,
): Promise<Answer> {
  const { contentSecurityPolicy } = transaction;
  if (page.kind === 'template') {
    const answer = await renderedAnswer(site, page.template, names, variables);
    const policy = contentSecurityPolicy ?? allowingScripts(pagePolicy, answer.inlineScripts);
    return { ...answer, headers: withPolicy(answer.headers, policy) };
  }
  const answer = await staticAnswer(page, incoming.headers);
  return contentSecurityPolicy === undefined
    ? answer
    : { ...answer, headers: withPolicy(answer.headers, contentSecurityPolicy) };
}

interface HostedRun {
  readonly transaction: Transaction;
  readonly directory: string;
  readonly requester: Requester | undefined;
  readonly scenario: ScenarioRequest;
  readonly wishes: ReadonlyMap<TerminalWish, string>;
}

/**
 * Runs the INITIAL scenario of a transaction of type 2 in its own host session, controlled by the connection script.
 * The session ends with the request, except for a service transaction, whose session waits for the next request.
 * @throws ServiceError SVC_ERR_SESSION_LIMIT, SVC_ERR_HOST_*, SVC_ERR_REQUEST_PARAMETERS, and the errors of the run
 */
async function runHostedScenario(
  site: ClientSite,
  request: ClientRequest<TransactionPath>,
  { transaction, directory, requester, scenario, wishes }: HostedRun,
): Promise<ScenarioOutcome> {
  const { sessions, hosts, scenarios, entryPoint, line } = site;
  const { initialScenario, finalScenario } = transaction;
  const key = serviceKey(entryPoint.definition.name, transaction.name);
  const { signal } = request;
  const { tioaAtLogon, tioaAtLogoff } = transaction;
  const origin = { host: hosts.get(transaction.application ?? ''), tioaAtLogon, tioaAtLogoff };
  const waiting = sessions.services.take(key, origin);
  const session =
    waiting ??
    sessions.beginService({
      openTo: openTo(transaction.security),
      facts: sessionFactsOf(site, request, { transaction, directory, requester }),
      ...origin,
      limits: line.limits,
      wishes: terminalWishesOf(request, transaction, wishes),
    });
  const variables = scenarios.newVariables();
  let outcome = pageWith((name) => variables.texts(name));
  let isKept = session.isForMore;
  const served: ServiceRequest = {
    parameter: (name) => boundedParameter(request.parameters, name),
    valuesOf: (variable) => variables.texts(variable),
    runScenario: async (screen, stop) => {
      const around = { screen, variables, isFirstPass: waiting === undefined };
      const result = await scenarios.run(initialScenario, 'INITIAL', scenario, stop, around);
      outcome = result.outcome;
      isKept = (isKept || result.effects.servesAnotherUser) && result.effects.disconnects === undefined;
    },
  };
  const atEnd: ServiceRequest = {
    ...served,
    runScenario: async (screen, stop) => {
      if (finalScenario === undefined) return;
      await scenarios.run(finalScenario, 'FINAL', scenario, stop, { screen, variables });
    },
  };
  const leave = () => void session.leave(atEnd);
  try {
    if (waiting === undefined) await session.connect(signal);
    await session.serve(served, signal);
    const minutes = entryPoint.definition.timeoutMinutes;
    if (isKept && !signal.aborted && session.isOpen) {
      const milliseconds = minutes === 0 ? Number.MAX_SAFE_INTEGER : minutes * 60_000;
      sessions.services.give(key, { session, origin, milliseconds, ends: leave });
    } else leave();
    return outcome;
  } catch (error) {
    // the session's state is unknown, so it cannot be reused
    session.stop();
    throw error;
  }
}

function pageWith(valuesOf: (name: string) => readonly string[] | undefined): ScenarioOutcome {
  return { kind: 'page', page: undefined, valuesOf, trace: undefined, codePage: undefined };
}
