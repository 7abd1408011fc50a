import { ServiceError } from '../errors.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { SessionService } from '../session/session-service.js';
import type { CompiledTemplate } from '../template/compiled-template.js';
import { render } from '../template/render.js';
import type { Answer } from './answer.js';
import type { ClientRequest } from './client-request.js';
import type { ClientSite } from './client-site.js';
import { prefersJson } from './json-preference.js';
import { renderedHeaders } from './page-rendering.js';
import { requestNames } from './request-names.js';
import { type AnswerIdentity, dynamicHeaders } from './response-headers.js';
import { screenJson } from './screen-json.js';
import { sessionContext } from './session-context.js';
import { rememberPage, rememberRevision } from './session-page.js';

/**
 * What pages of sessions may do unless their template says otherwise (SET-HEADER): scripts and styles are files of this server,
 * nothing is inline, nobody frames them.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What every answer with data of a host carries: no cache keeps it, and its address goes nowhere. */
const privateHeaders: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', PAGE_POLICY],
  ['X-Frame-Options', 'DENY'],
];

/** The headers of an answer with those of a session's pages; its own stay where it has them. */
export function asPrivate(answer: Answer, cookie?: string): Answer {
  const has = new Set(answer.headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()));
  const headers = [...answer.headers];
  for (const [name, value] of privateHeaders) {
    if (name === 'Referrer-Policy') {
      // the one that every answer has lets the address of a page out to the same site
      const at = headers.findIndex((header, index) => index % 2 === 0 && header === name);
      if (at >= 0) headers[at + 1] = value;
      else headers.push(name, value);
    } else if (!has.has(name.toLowerCase())) headers.push(name, value);
  }
  if (cookie !== undefined) headers.push('Set-Cookie', cookie);
  return { ...answer, headers };
}

/** The session as its client wants to see it: a page, or the screen as JSON. */
export async function sessionAnswer(
  site: ClientSite,
  sessions: SessionService,
  session: BrowserSession,
  request: ClientRequest,
  template: CompiledTemplate | undefined,
  place: { readonly page: string; readonly directory: string },
  identity: AnswerIdentity,
): Promise<Answer> {
  if (prefersJson(request.incoming.headers.accept) || template === undefined) {
    if (template === undefined && !prefersJson(request.incoming.headers.accept)) {
      throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
    }
    const { crypto } = session;
    if (crypto !== undefined) await sessions.prepareCrypto(session, [], [crypto.name]);
    rememberRevision(session, session.screen.state.revision);
    const body = Buffer.from(JSON.stringify(screenJson(session, place.page)));
    return asPrivate({ status: 200, headers: dynamicHeaders(identity, 'application/json', body.length, '0'), body });
  }
  const { uses } = template;
  await sessions.prepareCrypto(session, uses.encryptionParameters, uses.publicKeys);
  const screen = session.formScreen();
  const names = requestNames(site, request, {
    ...place,
    transaction: site.entryPoint.transaction(session.place.transaction),
    routingParameter: session.place.routingParameter,
  });
  const { defaultCodePage: codePage } = site;
  const result = render(template, sessionContext(template, { session, sessions, screen, names, codePage }));
  rememberPage(session, {
    uses,
    fieldNames: result.fieldNames,
    offeredFields: [...result.offeredFields],
    revision: screen.revision,
  });
  return asPrivate({
    status: result.status,
    reason: result.reason,
    headers: renderedHeaders(result, identity),
    body: result.body,
  });
}
