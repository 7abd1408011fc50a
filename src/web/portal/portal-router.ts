import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors.js';
import type { Role } from '../../security/security-database.js';
import { render } from '../../template/render.js';
import { sessionlessContext } from '../../template/sessionless-context.js';
import type { Answer } from '../answer.js';
import type { ClientRequest } from '../client-request.js';
import { type ClientSite, findProductPage, type Portal } from '../client-site.js';
import { prefersJson } from '../json-preference.js';
import { renderedHeaders } from '../page-rendering.js';
import { readRequestBody } from '../request-body.js';
import { clientAddress, requestNames } from '../request-names.js';
import { isCrossSite, isForeignSubmit } from '../request-origin.js';
import { MOST_PARAMETERS, parseRequestParameters } from '../request-parameters.js';
import type { PagePath } from '../request-path.js';
import { type AnswerIdentity, attachmentDisposition, dynamicHeaders } from '../response-headers.js';
import { asPrivate } from '../session-rendering.js';
import { answerSignOn, signOnForm } from '../sign-on-form.js';
import { type SignedOn, signedOnByCookie } from '../signed-on-user.js';
import { type UploadForm, uploadForm } from '../uploaded-file.js';
import type { PortalReply, PortalRequest, PortalRoute } from './portal-route.js';
import { portalRoutes } from './portal-routes.js';

const LARGEST_FORM_BYTES = 65_536;
/** The field of every form that says that a page of ours was shown before (SECURITY-TOKEN). */
const TOKEN_FIELD = 'TOKEN';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** From the least to the greatest. */
const ranks: readonly Role[] = ['user', 'operator', 'administrator'];

interface Matched {
  readonly route: PortalRoute;
  readonly segments: ReadonlyMap<string, string>;
}

/** Whether a path is one of the portal's, by whatever method. */
export function isPortalPath(path: PagePath): boolean {
  return portalRoutes.some((route) => segmentsOf(route, path) !== undefined);
}

/**
 * Answers a page of the portal, or a form of it. Whoever has not signed on is shown the form for that.
 * @throws ServiceError SVC_ERR_SIGNON_ROLE, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_REQUEST_METHOD, and what the route throws
 */
export async function answerPortal(
  site: ClientSite,
  portal: Portal,
  request: ClientRequest<PagePath>,
  identity: AnswerIdentity,
): Promise<Answer> {
  const { incoming, path } = request;
  const { security, macros } = site;
  if (security === undefined || macros === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
  const signedOn = await signedOnByCookie(security, incoming);
  if (signedOn === undefined) {
    const options = { security, crypt: undefined };
    if (method !== 'POST') return signOnForm(site, request, options, identity);
    const body = await readRequestBody(incoming, LARGEST_FORM_BYTES);
    return answerSignOn(site, { ...request, body }, options, identity);
  }
  const { route, segments } = matched(path, method);
  if (ranks.indexOf(signedOn.user.role) < ranks.indexOf(route.role)) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
  const form = method === 'POST' ? await formOf(request, route, signedOn) : noForm;
  const first = (values: readonly string[] | undefined) => values?.[0] ?? '';
  const reply = await route.answer({
    site,
    portal,
    macros: macros.service,
    user: signedOn.user,
    actor: { who: signedOn.user.name, from: clientAddress(incoming.socket.remoteAddress) ?? '' },
    segment: (name) => segments.get(name) ?? '',
    query: (name) => first(request.parameters.get(name)),
    fields: (name) => form.fields.get(name) ?? [],
    field: (name) => first(form.fields.get(name)),
    file: form.file,
    request,
  } satisfies PortalRequest);
  return replyAnswer(site, request, signedOn, reply, identity);
}

function matched(path: PagePath, method: string | undefined): Matched {
  const found = portalRoutes.flatMap((route) => {
    const segments = segmentsOf(route, path);
    return segments === undefined ? [] : [{ route, segments }];
  });
  const exact = found.find(({ route }) => route.method === method);
  if (exact !== undefined) return exact;
  if (found.length === 0) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const headers = { Allow: found.map(({ route }) => route.method).join(', ') };
  throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers });
}

function segmentsOf(route: PortalRoute, { directories, page }: PagePath): ReadonlyMap<string, string> | undefined {
  const names = route.path.slice(1).split('/');
  const given = [...directories, page];
  if (names.length !== given.length) return undefined;
  const segments = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const value = given[index] ?? '';
    if (name.startsWith(':')) {
      if (value === '') return undefined;
      segments.set(name.slice(1), value);
    } else if (name !== value.toLowerCase()) return undefined;
  }
  return segments;
}

const noForm: UploadForm = { fields: new Map(), file: undefined };

/** @throws ServiceError SVC_ERR_REQUEST_ORIGIN where no page of ours, shown to this user, has sent it */
async function formOf({ incoming }: ClientRequest, { takes }: PortalRoute, { signOn }: SignedOn): Promise<UploadForm> {
  if (isCrossSite(incoming) || isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const form = takes === 'upload' ? await uploadForm(incoming) : { fields: await fieldsOf(incoming), file: undefined };
  const given = Buffer.from(form.fields.get(TOKEN_FIELD)?.[0] ?? '');
  const expected = Buffer.from(signOn.securityToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  }
  return form;
}

async function fieldsOf(incoming: ClientRequest['incoming']): Promise<UploadForm['fields']> {
  const type = (incoming.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) throw new ServiceError('SVC_ERR_SUBMIT_TYPE');
  const body = await readRequestBody(incoming, LARGEST_FORM_BYTES);
  return parseRequestParameters(new TextDecoder().decode(body), MOST_PARAMETERS);
}

async function replyAnswer(
  site: ClientSite,
  request: ClientRequest,
  signedOn: SignedOn,
  reply: PortalReply,
  identity: AnswerIdentity,
): Promise<Answer> {
  switch (reply.kind) {
    case 'redirect': {
      const headers = [...dynamicHeaders(identity, 'text/html', 0, '0'), 'Location', reply.to];
      return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
    }
    case 'file': {
      const { bytes, contentType, fileName } = reply;
      const headers = dynamicHeaders(identity, contentType, bytes.length, '0');
      headers.push('Content-Disposition', attachmentDisposition(fileName));
      return asPrivate({ status: 200, headers, body: bytes });
    }
    case 'page': {
      const { page, variables, status = 200 } = reply;
      if (prefersJson(request.incoming.headers.accept)) return jsonAnswer(status, variables, identity);
      return pageAnswer(site, request, signedOn, { page, variables, status }, identity);
    }
  }
}

/** For the modules of a page, which ask with Accept: what the page would be told. */
function jsonAnswer(status: number, variables: object, identity: AnswerIdentity): Answer {
  const body = Buffer.from(JSON.stringify(variables));
  return asPrivate({ status, headers: dynamicHeaders(identity, 'application/json', body.length, '0'), body });
}

async function pageAnswer(
  site: ClientSite,
  request: ClientRequest,
  { user, signOn }: SignedOn,
  { page, variables, status }: Required<Omit<PortalReply & { kind: 'page' }, 'kind'>>,
  identity: AnswerIdentity,
): Promise<Answer> {
  const found = await findProductPage(site, page);
  if (found?.kind !== 'template') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const names = requestNames(site, request, {
    page,
    directory: site.entryPoint.definition.directory,
    transaction: undefined,
    routingParameter: undefined,
    user,
  });
  const known: typeof variables = { '$MAY-CHANGE$': user.role === 'administrator' ? ['yes'] : undefined, ...variables };
  const context = sessionlessContext(found.template, {
    valuesOf: (variable) => known[variable.toUpperCase()],
    names,
    trace: undefined,
    codePage: site.defaultCodePage,
  });
  const result = render(found.template, {
    ...context,
    securityToken: signOn.securityToken,
    condition: (condition) => (condition === 'SIGNON-IS-OK' ? user.name : undefined),
    isUserAllowedTo: (resource) => ranks.indexOf(user.role) >= ranks.indexOf(resource.toLowerCase() as Role),
  });
  return asPrivate({ status, headers: renderedHeaders(result, identity), body: result.body });
}
