import { ServiceError } from '../../lib/errors.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { CompiledTemplate, FoundFile } from '../../templates/compiled-template.js';
import { type RenderedPage, render } from '../../templates/render.js';
import { prefersJson } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import {
  allowingScripts,
  answerPolicy,
  embeddersOf,
  frameOptions,
  pagePolicy,
  sessionPolicy,
  withPolicy,
} from '../http/content-security-policy.js';
import { requestNames } from '../http/request-names.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { publicDirectoryOf } from '../pages/page-directory.js';
import { noRunValues, pageAnswer, renderedAnswer } from '../pages/page-rendering.js';
import { scenarioAnswer, scenarioRunsOf } from '../scenarios/session-scenario-runs.js';
import { siteSettings } from '../settings/site-settings.js';
import { languageOf } from '../words/page-words.js';
import { screenJson } from './screen-json.js';
import { issueForPage, sessionContext } from './session-context.js';
import { isPrintReady } from './session-printing.js';
import { viewOf } from './view-state.js';

const CACHE_CONTROL = 'no-store';
const REFERRER_POLICY = 'no-referrer';
/** Referrer-Policy of answers whose template sets none. */
const USUAL_REFERRER_POLICY = 'same-origin';

/**
 * Protects an answer with host data: not cached, even if its template allows it, and without Referer.
 * @param usualPolicy extended by the inline scripts of the page
 * @param operatorPolicy replaces `usualPolicy` and is not extended
 */
export function asPrivate(
  answer: Answer,
  usualPolicy = pagePolicy,
  isOfSession = false,
  operatorPolicy: string | undefined = undefined,
): Answer {
  const policy = operatorPolicy ?? allowingScripts(usualPolicy, answer.inlineScripts);
  const headers: string[] = [];
  const has = new Set<string>();
  for (let at = 0; at + 1 < answer.headers.length; at += 2) {
    const [name = '', value = ''] = answer.headers.slice(at, at + 2);
    const folded = name.toLowerCase();
    if (folded === 'cache-control') continue;
    if (folded === 'referrer-policy' && value === USUAL_REFERRER_POLICY) continue;
    has.add(folded);
    headers.push(name, value);
  }
  headers.push('Cache-Control', CACHE_CONTROL);
  if (!has.has('referrer-policy')) headers.push('Referrer-Policy', REFERRER_POLICY);
  const framing = frameOptions(policy, isOfSession);
  if (framing !== undefined && !has.has('x-frame-options')) headers.push('X-Frame-Options', framing);
  return { ...answer, headers: withPolicy(headers, policy) };
}

export function privateJson(status: number, value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return asPrivate({ status, headers: dynamicHeaders('application/json', body.length, '0'), body });
}

export interface SessionVisit {
  readonly site: ClientSite;
  readonly session: BrowserSession;
  readonly request: ClientRequest;
  readonly template: CompiledTemplate | undefined;
  readonly requested: { readonly page: string; readonly directory: string };
}

/** @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN, or the refusal of a scenario */
export async function sessionAnswer(visit: SessionVisit): Promise<Answer> {
  const { session } = visit;
  const refusal = session.messages.takeRefusal();
  if (refusal !== undefined) throw refusal;
  const own = ownAnswer(visit);
  if (own !== undefined) viewOf(session).shown.rememberRevision(session.screen.state.revision, nameOfPage(visit));
  const answer = own ?? (await screenAnswer(await withChosenPage(visit)));
  // ACTION$ TERMSESS ends the session after this answer
  if (session.messages.disconnects !== undefined) session.disconnect();
  return answer;
}

export async function scenarioEndAnswer(visit: SessionVisit): Promise<Answer | undefined> {
  const { site, session, request } = visit;
  if (session.messages.disconnects !== 'now') return undefined;
  const own = ownAnswer(visit);
  if (own !== undefined) return own;
  const { template, requested } = await withChosenPage(visit);
  if (template === undefined || template === visit.template) return undefined;
  const names = requestNames(site, request, {
    transaction: site.entryPoint.transaction(session.facts.transaction),
    routingParameter: session.facts.routingParameter,
    ...requested,
  });
  const valuesOf = (name: string) => session.options.scenarios.valuesOf(name);
  return asPrivate(
    await renderedAnswer(site, template, names, { ...noRunValues, valuesOf }),
    sessionPolicy(embeddersOf(site)),
  );
}

/** SEND$ AS-ANSWER, SEND$ AS-FILE. */
function ownAnswer({ site, session }: SessionVisit): Answer | undefined {
  const made = scenarioRunsOf(session)?.takeAnswer();
  if (made === undefined) return undefined;
  const policy = site.entryPoint.transaction(session.facts.transaction)?.contentSecurityPolicy ?? answerPolicy;
  return asPrivate(scenarioAnswer(made, policy), policy);
}

/** SET$ PAGE, SET$ TEMPORARY-PAGE. */
async function withChosenPage(visit: SessionVisit): Promise<SessionVisit> {
  const { site, session } = visit;
  const page = scenarioRunsOf(session)?.takePage();
  if (page === undefined) return visit;
  const template = await findSessionTemplate(site, session, [], page);
  return { ...visit, template, requested: { ...visit.requested, page } };
}

async function screenAnswer(visit: SessionVisit): Promise<Answer> {
  if (prefersJson(visit.request.incoming.headers.accept)) return jsonAnswer(visit);
  return (await renderedScreen(visit)).answer;
}

export async function renderedScreen(
  visit: SessionVisit,
  printedText?: string,
): Promise<{ readonly answer: Answer; readonly page: RenderedPage }> {
  const { site, session, request, template, requested } = visit;
  const { sessions } = site;
  if (template === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const { uses } = template;
  await sessions.prepareCrypto(session, uses.encryptionParameters, uses.publicKeys);
  await session.visible();
  const screen = session.formScreen();
  const transaction = site.entryPoint.transaction(session.facts.transaction);
  const names = requestNames(site, request, {
    transaction,
    routingParameter: session.facts.routingParameter,
    user: await site.security?.userSessions.userOf(session),
    ...requested,
  });
  const { defaultCodePage: codePage } = site;
  const macros = site.macros?.service.isConfigured === true ? site.macros : undefined;
  const issued = await issueForPage(uses, session, sessions, macros);
  const settings = {
    ofSite: (group: string) => JSON.stringify(siteSettings(site, group)),
    isStored: site.settings !== undefined && site.security !== undefined,
  };
  const embedders = embeddersOf(site);
  const language = languageOf(request.incoming);
  const printing = { isReady: await isPrintReady(site, session), printedText };
  const name = nameOfPage(visit);
  const pages = viewOf(session).shown;
  const order = pages.begin();
  const result = await render(
    template,
    sessionContext(template, {
      session,
      screen,
      names,
      codePage,
      macros,
      settings,
      issued,
      embedders,
      language,
      printing,
    }),
  );
  const shown = {
    uses,
    fieldNames: result.fieldNames,
    offeredFields: [...result.offeredFields],
    offeredChoices: result.offeredChoices,
    revision: screen.revision,
    name,
  };
  pages.remember(shown, order);
  if (issued.code !== undefined) pages.rememberCode(issued.code, screen.revision);
  session.isSubmitRefused = false;
  const usual = sessionPolicy(embeddersOf(site));
  return { answer: asPrivate(pageAnswer(result), usual, true, transaction?.contentSecurityPolicy), page: result };
}

async function jsonAnswer(visit: SessionVisit): Promise<Answer> {
  const {
    site: { sessions },
    session,
    requested,
  } = visit;
  const { crypto } = session;
  if (crypto !== undefined) await sessions.prepareCrypto(session, [], [crypto.name]);
  await session.visible();
  viewOf(session).shown.rememberRevision(session.screen.state.revision, nameOfPage(visit));
  const body = Buffer.from(JSON.stringify(screenJson(session, requested.page)));
  session.isSubmitRefused = false;
  return asPrivate({ status: 200, headers: dynamicHeaders('application/json', body.length, '0'), body });
}

/** Name of the page to return to. Scripts post to other pages, which are parts of it. */
function nameOfPage({ session, request, requested }: SessionVisit): string {
  return request.incoming.method === 'GET' ? requested.page : viewOf(session).shown.page.name;
}

/**
 * Finds a session page in the directory of the session's first page, in the entry point's directory, or in the
 * directory that the path names.
 */
export async function findSessionTemplate(
  site: ClientSite,
  session: BrowserSession,
  directories: readonly string[],
  page: string,
): Promise<CompiledTemplate | undefined> {
  const candidates = [session.facts.directory, site.entryPoint.definition.directory];
  for (const directory of new Set(candidates)) {
    const found = await site.findPage(directory, page);
    if (found?.kind === 'template') return found.template;
  }
  let found: FoundFile | undefined;
  try {
    found = await site.findPage(publicDirectoryOf(site.entryPoint, directories.slice(0, 1)), page);
  } catch {
    return undefined;
  }
  return found?.kind === 'template' ? found.template : undefined;
}
