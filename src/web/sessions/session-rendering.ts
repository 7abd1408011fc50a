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
import { beginPage, rememberCode, rememberPage, rememberRevision, shownPageOf } from './shown-page.js';

/** What every answer with data of a host carries. */
const CACHE_CONTROL = 'no-store';
const REFERRER_POLICY = 'no-referrer';
/** The policy that every answer has without a template's own: the address of a page goes to pages of the same site. */
const USUAL_REFERRER_POLICY = 'same-origin';

/**
 * An answer with data of a host: no cache keeps it, whatever its template says, and its address goes nowhere.
 * @param usualPolicy one of ours, which allows the inline scripts of the page
 * @param operatorPolicy replaces it, and stays as it is
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

/** JSON that is for whoever asked alone. */
export function privateJson(status: number, value: unknown): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return asPrivate({ status, headers: dynamicHeaders('application/json', body.length, '0'), body });
}

/** A request to a session, and the page that it asks for. */
export interface SessionVisit {
  readonly site: ClientSite;
  readonly session: BrowserSession;
  readonly request: ClientRequest;
  /** Undefined: there is none of that name. */
  readonly template: CompiledTemplate | undefined;
  readonly requested: { readonly page: string; readonly directory: string };
}

/**
 * The session as its client wants to see it: a page, or the screen as JSON; or what a scenario has answered in its place.
 * @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN, and what a scenario has refused
 */
export async function sessionAnswer(visit: SessionVisit): Promise<Answer> {
  const { session } = visit;
  const refusal = session.messages.takeRefusal();
  if (refusal !== undefined) throw refusal;
  const own = ownAnswer(visit);
  if (own !== undefined) rememberRevision(session, session.screen.state.revision, nameOfPage(visit));
  const answer = own ?? (await screenAnswer(await withChosenPage(visit)));
  // ACTION$ TERMSESS: this was the next message
  if (session.messages.disconnects !== undefined) session.disconnect();
  return answer;
}

/** What a scenario that has ended its session leaves for its client; undefined: nothing. */
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

/**
 * The session in a page.
 * @param printedText of the document that the page was asked for
 * @throws ServiceError SVC_ERR_TEMPLATE_UNKNOWN
 */
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
  const order = beginPage();
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
  rememberPage(session, shown, order);
  if (issued.code !== undefined) rememberCode(session, issued.code, screen.revision);
  session.isSubmitRefused = false;
  const usual = sessionPolicy(embeddersOf(site));
  return { answer: asPrivate(pageAnswer(result), usual, true, transaction?.contentSecurityPolicy), page: result };
}

/** The screen, and the public key where its fields are to be encrypted. */
async function jsonAnswer(visit: SessionVisit): Promise<Answer> {
  const {
    site: { sessions },
    session,
    requested,
  } = visit;
  const { crypto } = session;
  if (crypto !== undefined) await sessions.prepareCrypto(session, [], [crypto.name]);
  await session.visible();
  rememberRevision(session, session.screen.state.revision, nameOfPage(visit));
  const body = Buffer.from(JSON.stringify(screenJson(session, requested.page)));
  session.isSubmitRefused = false;
  return asPrivate({ status: 200, headers: dynamicHeaders('application/json', body.length, '0'), body });
}

/** The page that leads back to the session: scripts post to others, which are parts of it. */
function nameOfPage({ session, request, requested }: SessionVisit): string {
  return request.incoming.method === 'GET' ? requested.page : shownPageOf(session).name;
}

/**
 * The template of a page of a session: in the directory of its first page, in that of the entry point, or in the one that the
 * path names, where its first name is not just the code of this node.
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
