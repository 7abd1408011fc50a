import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import { errorCatalogue, ServiceError } from '../../lib/errors.js';
import { outside } from '../../lib/turns/fair-turns.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { readRequestNumber } from '../../sessions/request-numbering.js';
import type { SubmitBase, SubmitOutcome } from '../../sessions/submit.js';
import { prefersJson } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import { type ClientSite, defaultPageName } from '../http/client-site.js';
import { embeddersOf, sessionPolicy } from '../http/content-security-policy.js';
import { bodyReader } from '../http/request-body.js';
import { requestNames } from '../http/request-names.js';
import { isCrossSite, isForeignSubmit } from '../http/request-origin.js';
import { MOST_FORM_FIELDS, submittedForm } from '../http/request-parameters.js';
import type { SessionPath } from '../http/request-path.js';
import { clientTurnOf } from '../http/request-sender.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { noRunValues, renderedAnswer } from '../pages/page-rendering.js';
import { scenarioRequest } from '../scenarios/request-input.js';
import { scenarioRunsOf } from '../scenarios/session-scenario-runs.js';
import { fieldReason } from '../words/error-words.js';
import { printAnswer } from './print-answer.js';
import {
  isByCookie,
  type SessionWish,
  sessionCookiesNamed,
  sessionCookiesOf,
  sessionReference,
  withdrawnSessionCookie,
} from './session-cookie.js';
import { siteOf } from './session-opening.js';
import {
  asPrivate,
  findSessionTemplate,
  type SessionVisit,
  scenarioEndAnswer,
  sessionAnswer,
} from './session-rendering.js';
import { shownPageOf, shownRevisionOf } from './shown-page.js';
import { readSubmission, refusedField, withAreaKey } from './submission.js';

const methodRefused = { headers: { Allow: 'GET, POST' } } as const;
const printRefused = { headers: { Allow: 'GET' } } as const;
/** Pages of other ports can send the cookie but do not know the code, so a submit requires the code. */
const cookieAloneRefused = {
  headers: { Allow: 'GET' },
  detail: { code: 'submit.cookieOnly' },
} as const;

export function sessionPageRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  router.all(
    /^[^+]*\+\+/,
    bodyReader(site),
    answeringOnly('session', (request) => answerSession(site, request)),
  );
  return router;
}

/**
 * Answers `/<prefix>/<page>++SvcSession=<code>` and similar (specification 4.2, reference 1.2).
 * @throws ServiceError SVC_ERR_SESSION_UNKNOWN, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_TEMPLATE_UNKNOWN, SVC_ERR_SUBMIT_*,
 * SVC_ERR_CRYPTO_REFUSED, SVC_ERR_HOST_*
 */
async function answerSession(siteOfLine: ClientSite, request: ClientRequest<SessionPath>): Promise<Answer> {
  const { incoming, path } = request;
  if (incoming.method !== 'GET' && incoming.method !== 'POST') {
    throw new ServiceError('SVC_ERR_REQUEST_METHOD', methodRefused);
  }
  // a page of another site must not open the user's session
  if (isCrossSite(incoming) || (incoming.method === 'POST' && isForeignSubmit(incoming)))
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  if (incoming.method !== 'GET' && isByCookie(path.session)) {
    throw new ServiceError('SVC_ERR_REQUEST_METHOD', cookieAloneRefused);
  }
  const { session, code, wish } = findShownSession(siteOfLine, path, incoming);
  if (session === undefined) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
  if (wish === 'status') {
    session.followed();
    return statusAnswer(session);
  }
  const site = siteOf(session) ?? siteOfLine;
  const page = path.page === '' ? defaultPageName(site) : path.page;
  const template = await findSessionTemplate(site, session, path.directories, page);
  const visit = { site, session, request, template, requested: { page, directory: session.facts.directory } };
  noteRequest(visit, request.parameters);
  if (wish === 'print') {
    if (incoming.method !== 'GET') throw new ServiceError('SVC_ERR_REQUEST_METHOD', printRefused);
    session.seen();
    return printAnswer(visit);
  }
  if (incoming.method === 'GET') {
    session.seen();
    // if values are bound to request numbers, numbers are never reused
    const mayRestart = session.crypto?.bindsRequests !== true;
    if (mayRestart && !prefersJson(incoming.headers.accept)) session.numbering.restart();
    await session.settled();
    return (await overAnswer(visit)) ?? sessionAnswer(visit);
  }
  const carryOut = (number: string) => submitAnswer(visit, { code, number });
  const id = incoming.headers['x-svc-request-id'];
  if (id === undefined) return carryOut('');
  const text = String(id);
  const number = String(readRequestNumber(text));
  return session.numbering.once(text, () => carryOut(number));
}

interface SubmitBinding {
  /** Session code as written by the client. */
  readonly code: string;
  readonly number: string;
}

async function submitAnswer(visit: SessionVisit, { code, number }: SubmitBinding): Promise<Answer> {
  const { session, request, template } = visit;
  const page = shownPageOf(session);
  const form = submittedForm(request.incoming, request.body, MOST_FORM_FIELDS);
  const parameters = withAreaKey(form, page, template?.uses);
  const { key, submission } = readSubmission(parameters, page, template?.uses, session.screen.state.revision);
  const base = baseOf(visit, { code, number });
  const typed = new Set(submission.values.map(({ fieldId }) => fieldId));
  noteRequest(visit, new Map([...parameters].filter(([name]) => !typed.has(name))));
  if (key.kind === 'pageClosed') {
    session.pageClosed();
    return { status: 204, headers: dynamicHeaders('text/plain', 0, '0'), body: Buffer.alloc(0) };
  }
  if (key.kind === 'disconnect') {
    session.disconnect();
  } else {
    // checked first, because a submit that cannot be answered must not reach the host
    if (template === undefined && !prefersJson(request.incoming.headers.accept)) {
      throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
    }
    const submitted = { ...submission, key, base, sessionCode: code, requestNumber: number };
    const outcome = await outside(clientTurnOf(request.incoming), () => session.guarded.submit(submitted));
    session.isSubmitRefused = outcome.kind === 'otherScreen';
    if (session.isSubmitRefused && !prefersJson(request.incoming.headers.accept)) {
      return (await overAnswer(visit)) ?? otherScreenAnswer(visit);
    }
    refuse(outcome);
  }
  return (await overAnswer(visit)) ?? sessionAnswer(visit);
}

function baseOf({ session, request }: SessionVisit, { code, number }: SubmitBinding): SubmitBase {
  const named = request.incoming.headers['x-svc-revision'];
  if (named !== undefined) return readRevision(String(named), session.screen.state.revision);
  // typed ahead: the client has not received the screen after its previous key
  if (number !== '' && session.numbering.isAnswering) return { answerTo: undefined };
  return shownRevisionOf(session, code);
}

function readRevision(written: string, newest: number): number {
  if (/^\d{1,9}$/.test(written) && Number(written) <= newest) return Number(written);
  throw new ServiceError('SVC_ERR_SUBMIT_REVISION', {
    detail: { code: 'submit.revision', values: { revision: written.slice(0, 20) } },
  });
}

async function otherScreenAnswer(visit: SessionVisit): Promise<Answer> {
  const answer = await sessionAnswer(visit);
  const { status } = errorCatalogue.SVC_ERR_SUBMIT_SCREEN;
  return answer.status === 200 ? { ...answer, status } : answer;
}

/** Passes the request's parameters to scenarios, without typed fields; displayed input is available from the screen. */
function noteRequest(
  { site, session, request, requested }: SessionVisit,
  parameters: ReadonlyMap<string, readonly string[]>,
): void {
  const runs = scenarioRunsOf(session);
  if (runs === undefined) return;
  const transaction = site.entryPoint.transaction(session.facts.transaction);
  const names = requestNames(site, request, {
    transaction,
    routingParameter: session.facts.routingParameter,
    ...requested,
  });
  runs.request = { ...scenarioRequest(site, request, names, { parameters, files: [] }), body: undefined };
}

export function refuse(outcome: SubmitOutcome): void {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'otherScreen':
      throw new ServiceError('SVC_ERR_SUBMIT_SCREEN');
    case 'locked':
      throw new ServiceError('SVC_ERR_HOST_SILENT');
    case 'hostFaulty':
      throw new ServiceError('SVC_ERR_HOST_FAULTY');
    case 'undecipherable':
      throw new ServiceError('SVC_ERR_CRYPTO_REFUSED');
    case 'refused':
      throw refusedField(fieldReason(outcome.fieldId, outcome.reason, outcome.character));
  }
}

export type SessionFinder = Pick<ClientSite, 'line' | 'sessions'>;

interface FoundSession {
  readonly session: BrowserSession | undefined;
  readonly code: string;
  readonly wish: SessionWish;
}

/** Finds a session for read-only requests, also by cookie. */
function findShownSession(site: SessionFinder, path: SessionPath, incoming: IncomingMessage): FoundSession {
  const reference = sessionReference(path.session);
  if (reference.by === 'code') return findSession(site, path, incoming);
  const { label } = reference;
  const cookies = label === undefined ? sessionCookiesOf(incoming) : sessionCookiesNamed(incoming, label);
  const session = site.sessions.registry.ofCookies(site.line.name, cookies).at(-1);
  return { session, code: session?.code ?? '', wish: 'page' };
}

/** Finds a session by the code in the path. Submits require the code. */
export function findSession(site: SessionFinder, path: SessionPath, incoming: IncomingMessage): FoundSession {
  const registry = site.sessions.registry;
  const cookies = sessionCookiesOf(incoming);
  const reference = sessionReference(path.session);
  const { code, wish } = reference.by === 'code' ? reference : ({ code: '', wish: 'page' } as const);
  return { session: registry.find(code, site.line.name, cookies), code, wish };
}

/** 205 if the screen differs from the last page, otherwise 304 (reference 1.2). */
function statusAnswer(session: BrowserSession): Answer {
  const { refreshesTerminal } = session.messages;
  session.messages.refreshesTerminal = false;
  const changed = refreshesTerminal || session.screen.state.revision !== shownPageOf(session).revision;
  const body = Buffer.alloc(0);
  if (changed) return asPrivate({ status: 205, headers: dynamicHeaders('text/html', 0, '0'), body });
  return asPrivate({ status: 304, headers: ['Expires', '0'], body });
}

async function overAnswer(visit: SessionVisit): Promise<Answer | undefined> {
  const { session, request } = visit;
  if (session.isOpen) return undefined;
  const answer = await lastAnswer(visit);
  return {
    ...answer,
    headers: [...answer.headers, 'Set-Cookie', withdrawnSessionCookie(request.incoming, session.code)],
  };
}

async function lastAnswer(visit: SessionVisit): Promise<Answer> {
  const { site, session, request } = visit;
  const ending = await scenarioEndAnswer(visit);
  if (ending !== undefined) return ending;
  const kind = session.end?.kind ?? 'disconnected';
  if (prefersJson(request.incoming.headers.accept)) {
    const body = Buffer.from(JSON.stringify({ ended: kind }));
    return asPrivate({ status: 200, headers: dynamicHeaders('application/json', body.length, '0'), body });
  }
  const { lastPage, directory } = site.entryPoint.definition;
  const found = lastPage === undefined ? undefined : await site.findPage(directory, lastPage);
  if (lastPage === undefined || found?.kind !== 'template') {
    const headers = dynamicHeaders('text/html', 0, '0');
    headers.push('Location', '/');
    return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
  }
  const names = requestNames(site, request, {
    page: lastPage,
    directory,
    transaction: undefined,
    routingParameter: undefined,
  });
  const variables = { ...noRunValues, valuesOf: (name: string) => (name === '$SESSION-END$' ? [kind] : undefined) };
  return asPrivate(await renderedAnswer(site, found.template, names, variables), sessionPolicy(embeddersOf(site)));
}
