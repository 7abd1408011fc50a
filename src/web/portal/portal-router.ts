import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import type { Language } from '../../lib/locale.js';
import { OtherNodeError } from '../forwarding/forwarding.js';
import { prefersJson } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import type { ClientSite, Portal } from '../http/client-site.js';
import { errorHeaders, serviceErrorOf } from '../http/error-response.js';
import { readRequestBody } from '../http/request-body.js';
import { isForeignSubmit } from '../http/request-origin.js';
import { isPlainForm, MOST_PARAMETERS, submittedForm } from '../http/request-parameters.js';
import type { PagePath } from '../http/request-path.js';
import { senderAddress } from '../http/request-sender.js';
import { attachmentDisposition, dynamicHeaders, streamedHeaders } from '../http/response-headers.js';
import { admitUpload, uploadEntries } from '../macros/upload-entry.js';
import type { UploadForm } from '../macros/uploaded-file.js';
import { routeOfMethod, routesAt } from '../operation/route-matching.js';
import { portalRoutes } from '../routes.js';
import { asPrivate, privateJson } from '../sessions/session-rendering.js';
import { addSignOff, answerSignOn, signOnForm } from '../sign-on/sign-on-form.js';
import { type SignedOn, signedOnByCookie } from '../sign-on/signed-on-user.js';
import { hasRole, type SiteSecurity } from '../sign-on/site-security.js';
import { LANGUAGE_PAGE } from '../words/language-choice.js';
import { languageOf } from '../words/page-words.js';
import { PortalWording } from '../words/portal-wording.js';
import { languageChosen } from './language-choice-route.js';
import { liveTopics } from './live-pages.js';
import { portalPage } from './portal-page.js';
import type { PageVariables, PortalOutcome, PortalRequest, PortalRoute } from './portal-route.js';

const LARGEST_FORM_BYTES = 65_536;
/** Field of every form with the token of the page that contains the form (SECURITY-TOKEN). */
const TOKEN_FIELD = 'TOKEN';

/** For users without permission for the portal. */
const NOT_ALLOWED_PAGE = 'NOT-ALLOWED.HTML';

/**
 * The pages of the portal, and `/signoff`. A portal line serves no other page of the first level: only routes show the pages of the portal.
 */
export function portalRouter(site: ClientSite, portal: Portal): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  const { macros } = site;
  const topics = macros === undefined ? new Map() : liveTopics({ site, portal, macros: macros.service });
  addSignOff(router, site);
  router.all(
    /^[^+]*$/,
    answeringOnly('page', (request) => {
      if (portalRoutesAt(request.path).length > 0) return answerPortal(site, { portal, topics }, request);
      if (request.path.directories.length === 0) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
      return undefined;
    }),
  );
  return router;
}

function portalRoutesAt({ directories, page }: PagePath) {
  return routesAt(portalRoutes, [...directories, page], (part, name) =>
    part.startsWith(':') ? name !== '' : part === name.toLowerCase(),
  );
}

/** True if a path belongs to the portal, for any method. */
function isLanguageChoice({ directories, page }: PagePath): boolean {
  return directories.length === 0 && page.toLowerCase() === LANGUAGE_PAGE;
}

/**
 * Answers a page of the portal, or one of its forms. Users who have not signed on get the sign-on form.
 * @throws ServiceError SVC_ERR_SIGNON_ROLE, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_REQUEST_METHOD, and the errors of the route
 */
async function answerPortal(
  site: ClientSite,
  { portal, topics }: Pick<PortalRequest, 'portal' | 'topics'>,
  request: ClientRequest<PagePath>,
): Promise<Answer> {
  const { incoming, path } = request;
  const { security, macros } = site;
  if (security === undefined || macros === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
  const signedOn = await signedOnByCookie(security, incoming);
  const options = { security, crypt: undefined };
  if (signedOn === undefined) {
    if (method !== 'POST') return signOnForm(site, request, options);
    // the sign-on has ended, so the file in the form is not read
    if (!isPlainForm(incoming)) {
      return signOnForm(site, request, options, new ServiceError('SVC_ERR_SIGNON_NEEDED'));
    }
    const body = await readRequestBody(incoming, LARGEST_FORM_BYTES);
    if (isLanguageChoice(path)) {
      if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
      const fields = submittedForm(incoming, body, MOST_PARAMETERS);
      const chosen = languageChosen(incoming, (name) => fields.get(name)?.[0] ?? '');
      return redirection(chosen, prefersJson(incoming.headers.accept));
    }
    return answerSignOn(site, { ...request, body }, options);
  }
  const { route, segments } = routeOfMethod(portalRoutesAt(path), method);
  if (!hasRole(signedOn.user, route.role)) {
    // a form submitted by another site is not an attempt of the user
    if (method === 'POST' && !isForeignSubmit(incoming)) await noteRefused(portal, request, signedOn);
    return answerOf(site, request, signedOn, refusedRole(incoming, signedOn));
  }
  const portalRequest = (form: UploadForm, { user, signOn }: SignedOn): PortalRequest => ({
    site,
    portal,
    topics,
    macros: macros.service,
    user,
    current: async () => ((await security.signOns.lasts(signOn)) ? security.service.current(signOn.user) : undefined),
    actor: { who: user.name, from: senderAddress(incoming) },
    segment: (name) => segments.get(name) ?? '',
    query: (name) => request.parameters.get(name)?.[0] ?? '',
    typed: (name) => form.fields.get(name)?.[0],
    field: (name) => form.fields.get(name)?.[0] ?? '',
    fields: form.fields,
    file: form.file,
    request,
    words: PortalWording.of(languageOf(incoming)),
  });
  if (method !== 'POST') {
    return answerOf(site, request, signedOn, await route.answer(portalRequest(noForm, signedOn)));
  }
  const read = await formOf(request, route, signedOn, security).catch(serviceErrorOf);
  // check the user again: the sender determines how long the body takes, and a refused form is shown again
  const now = await signedOnByCookie(security, incoming);
  if (now?.signOn.id !== signedOn.signOn.id) {
    return signOnForm(site, request, options, new ServiceError('SVC_ERR_SIGNON_NEEDED'));
  }
  if (!hasRole(now.user, route.role)) return answerOf(site, request, now, refusedRole(incoming, now));
  const form = portalRequest(read instanceof ServiceError ? noForm : read, now);
  let outcome: PortalOutcome;
  try {
    if (read instanceof ServiceError) throw read;
    outcome = await route.answer(form);
    await security.userSessions.review();
  } catch (thrown) {
    if (thrown instanceof OtherNodeError) throw thrown;
    const error = serviceErrorOf(thrown);
    // the user sees the form again without the cause; the request logger logs a 500
    if (error.description.status > 500) {
      site.log.error({ err: error, user: now.user.name }, 'the change requested by a portal form could not be stored');
    }
    outcome = await formAgain(route, form, error);
  }
  return answerOf(site, request, now, outcome);
}

/** @throws ServiceError SVC_ERR_AUDIT_UNAVAILABLE */
function noteRefused(
  { audit }: Portal,
  { incoming, target }: ClientRequest<PagePath>,
  { user: { name, role } }: SignedOn,
): Promise<void> {
  return audit.note({
    who: name,
    from: senderAddress(incoming),
    what: 'operation.refused',
    subject: `POST ${target.path}`,
    after: { role },
  });
}

/**
 * @throws ServiceError SVC_ERR_SIGNON_ROLE, except for users without permission for the portal, who must be able to sign off and sign on
 * as another user
 */
function refusedRole(incoming: ClientRequest['incoming'], { user }: SignedOn): PortalOutcome {
  const error = new ServiceError('SVC_ERR_SIGNON_ROLE');
  if (hasRole(user, 'operator') || prefersJson(incoming.headers.accept)) throw error;
  return refusedPage(NOT_ALLOWED_PAGE, error, languageOf(incoming));
}

/**
 * The page of a refused form, with the reason and the typed values.
 * @throws ServiceError the reason, for scripts and for forms without a page
 */
async function formAgain(route: PortalRoute, request: PortalRequest, error: ServiceError): Promise<PortalOutcome> {
  const isForeign = error.code === 'SVC_ERR_REQUEST_ORIGIN';
  const isOurs = error.description.status === 500;
  if (isForeign || isOurs || route.form === undefined || prefersJson(request.request.incoming.headers.accept)) {
    throw error;
  }
  let page: PortalOutcome;
  try {
    page = await route.form(request);
  } catch {
    throw error;
  }
  if (page.kind !== 'page') throw error;
  const { language } = request.words;
  return {
    ...refusedPage(page.page, error, language),
    variables: { ...page.variables, ...errorVariables(error, language) },
  };
}

function refusedPage(page: string, error: ServiceError, language: Language): PortalOutcome & { readonly kind: 'page' } {
  const { status } = error.description;
  return {
    kind: 'page',
    page,
    variables: errorVariables(error, language),
    status,
    headers: errorHeaders(error, status),
  };
}

function errorVariables(error: ServiceError, language: Language): PageVariables {
  return { $ERROR$: [error.publicTextIn(language)] };
}

const noForm: UploadForm = { fields: new Map(), file: undefined };

/** @throws ServiceError SVC_ERR_REQUEST_ORIGIN if the form does not come from a portal page of this user */
async function formOf(
  { incoming }: ClientRequest,
  { takes }: PortalRoute,
  requester: SignedOn,
  security: SiteSecurity,
): Promise<UploadForm> {
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const form =
    takes === 'upload'
      ? await admitUpload(uploadEntries.portal, incoming, { security, requester }).read()
      : { fields: await fieldsOf(incoming), file: undefined };
  const given = Buffer.from(form.fields.get(TOKEN_FIELD)?.[0] ?? '');
  const expected = Buffer.from(requester.signOn.securityToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  }
  return form;
}

async function fieldsOf(incoming: ClientRequest['incoming']): Promise<UploadForm['fields']> {
  if (!isPlainForm(incoming)) throw new ServiceError('SVC_ERR_SUBMIT_TYPE');
  const body = await readRequestBody(incoming, LARGEST_FORM_BYTES);
  return submittedForm(incoming, body, MOST_PARAMETERS);
}

function redirection({ to, cookie }: PortalOutcome & { readonly kind: 'redirect' }, wantsJson: boolean): Answer {
  // a script would follow a redirect, fetch the page and discard it
  if (wantsJson) return privateJson(200, { next: to });
  const headers = [...dynamicHeaders('text/html', 0, '0'), 'Location', to];
  if (cookie !== undefined) headers.push('Set-Cookie', cookie);
  return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
}

async function answerOf(
  site: ClientSite,
  request: ClientRequest<PagePath>,
  signedOn: SignedOn,
  outcome: PortalOutcome,
): Promise<Answer> {
  const wantsJson = prefersJson(request.incoming.headers.accept);
  switch (outcome.kind) {
    case 'redirect':
      return redirection(outcome, wantsJson);
    case 'file': {
      const { bytes, contentType, fileName } = outcome;
      const headers = dynamicHeaders(contentType, bytes.length, '0');
      headers.push('Content-Disposition', attachmentDisposition(fileName));
      return asPrivate({ status: 200, headers, body: bytes });
    }
    case 'download': {
      const { pieces, close, contentType, fileName } = outcome;
      return asPrivate({
        status: 200,
        headers: [...streamedHeaders(contentType), 'Content-Disposition', attachmentDisposition(fileName)],
        body: Buffer.alloc(0),
        stream: (response) => sendPieces(response, pieces, site),
        whenLost: close,
      });
    }
    case 'stream': {
      const { stream } = outcome;
      return asPrivate({
        status: 200,
        // nginx would otherwise buffer the events
        headers: ['Content-Type', 'text/event-stream', 'X-Accel-Buffering', 'no'],
        body: Buffer.alloc(0),
        stream: (response) => stream.begin(response),
        whenLost: () => stream.close(),
      });
    }
    case 'page': {
      // scripts of a page that prefer JSON get the variables of the page
      if (wantsJson) return privateJson(outcome.status ?? 200, outcome.variables);
      return portalPage(site, request, signedOn, outcome);
    }
  }
}

/**
 * Sends a body piece by piece, at the speed of the client. If the client accepts nothing for the time limit of a request, the connection
 * is closed. It is also closed after an error in the pieces, so that the client notices that the body is incomplete.
 */
export function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>, { line, log }: ClientSite): void {
  response.setTimeout(line.limits.requestSeconds * 1_000, () => {
    if (response.writableLength > 0) response.destroy();
  });
  pipeline(Readable.from(pieces, { highWaterMark: 1 }), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.error({ err: error }, 'an answer could not be sent completely');
  });
}
