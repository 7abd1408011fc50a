import { ServiceError } from '../../errors.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { CompiledTemplate } from '../../template/compiled-template.js';
import { render } from '../../template/render.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { pagePolicy, withPolicy } from '../http/content-security-policy.js';
import { prefersJson } from '../http/json-preference.js';
import { requestNames } from '../http/request-names.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { renderedHeaders } from '../pages/page-rendering.js';
import { issueForPage } from './issued-for-page.js';
import { screenJson } from './screen-json.js';
import { sessionContext } from './session-context.js';
import { rememberPage, rememberRevision } from './shown-page.js';

/** What every answer with data of a host carries. */
const CACHE_CONTROL = 'no-store';
const REFERRER_POLICY = 'no-referrer';
/** The policy that every answer has without a template's own: the address of a page goes to pages of the same site. */
const USUAL_REFERRER_POLICY = 'same-origin';

/** An answer with data of a host: no cache keeps it, whatever its template says, and its address goes nowhere. */
export function asPrivate(answer: Answer, policy = pagePolicy): Answer {
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
  if (!has.has('x-frame-options')) headers.push('X-Frame-Options', 'DENY');
  return { ...answer, headers: withPolicy(headers, policy) };
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

/** The session as its client wants to see it: a page, or the screen as JSON. */
export async function sessionAnswer(visit: SessionVisit): Promise<Answer> {
  const { site, session, request, template, requested } = visit;
  const { sessions } = site;
  if (prefersJson(request.incoming.headers.accept)) return jsonAnswer(visit);
  if (template === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const { uses } = template;
  await sessions.prepareCrypto(session, uses.encryptionParameters, uses.publicKeys);
  const screen = session.formScreen();
  const transaction = site.entryPoint.transaction(session.facts.transaction);
  const names = requestNames(site, request, {
    ...requested,
    transaction,
    routingParameter: session.facts.routingParameter,
    user: await site.security?.userSessions.userOf(session),
  });
  const { defaultCodePage: codePage } = site;
  const macros = site.macros?.service.isConfigured === true ? site.macros : undefined;
  const issued = await issueForPage(uses, session, sessions, macros);
  const result = render(template, sessionContext(template, { session, screen, names, codePage, macros, issued }));
  rememberPage(session, {
    uses,
    fieldNames: result.fieldNames,
    offeredFields: [...result.offeredFields],
    revision: screen.revision,
  });
  const answer = {
    status: result.status,
    reason: result.reason,
    headers: renderedHeaders(result),
    body: result.body,
    tightHeaders: result.tightHeaders,
  };
  return asPrivate(answer, transaction?.contentSecurityPolicy);
}

/** The screen, and the public key where its fields are to be encrypted. */
async function jsonAnswer({ site: { sessions }, session, requested }: SessionVisit): Promise<Answer> {
  const { crypto } = session;
  if (crypto !== undefined) await sessions.prepareCrypto(session, [], [crypto.name]);
  rememberRevision(session, session.screen.state.revision);
  const body = Buffer.from(JSON.stringify(screenJson(session, requested.page)));
  return asPrivate({ status: 200, headers: dynamicHeaders('application/json', body.length, '0'), body });
}
