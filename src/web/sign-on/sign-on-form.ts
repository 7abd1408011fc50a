import type { IncomingMessage } from 'node:http';
import { DEVICE_DAYS } from '../../access/sign-on/device-cookie.js';
import { replacementReasons } from '../../access/sign-on/sign-on-audit.js';
import type { BegunSignOn, SignOn } from '../../access/sign-on/sign-on-registry.js';
import { ServiceError } from '../../lib/errors.js';
import { readRequestNumber } from '../../sessions/request-numbering.js';
import type { SignOnChallenge } from '../../sessions/sign-on-challenge.js';
import { render, sessionlessContext } from '../../templates/render.js';
import { OtherNodeError, otherNodeOf } from '../forwarding/forwarding.js';
import { prefersJson } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { answering, type ClientRequest, type ClientRouter } from '../http/client-request.js';
import { type ClientSite, findProductPage } from '../http/client-site.js';
import { embeddedCookie, embeddersOf, pagePolicy, sessionPolicy } from '../http/content-security-policy.js';
import { errorHeaders, serviceErrorOf } from '../http/error-response.js';
import { requestNames } from '../http/request-names.js';
import { isForeignSubmit } from '../http/request-origin.js';
import { formFields, isPlainForm, MOST_PARAMETERS, submittedForm } from '../http/request-parameters.js';
import type { RequestPath, RequestTarget } from '../http/request-path.js';
import { dynamicHeaders, withHeaders } from '../http/response-headers.js';
import { cookiesNamed, strictCookie, withdrawnCookie } from '../http/strict-cookie.js';
import { renderedHeaders } from '../pages/page-rendering.js';
import { asPrivate } from '../sessions/session-rendering.js';
import { languageVariables } from '../words/language-choice.js';
import { languageOf } from '../words/page-words.js';
import { PortalWording } from '../words/portal-wording.js';
import { addressOf, formChallenge } from './signed-on-user.js';
import { DEVICE_COOKIE, type SiteSecurity } from './site-security.js';

const SIGN_ON_PAGE = 'USER-SIGNON.HTML';

/** Fields of forms with a challenge: its code, and the wrapped key that encrypts the passwords. */
export const challengeFields = { code: 'SIGNON-CODE', sessionKey: 'SESSKEY' } as const;
const fields = { ...challengeFields, userId: 'USERID', password: 'PASSWORD' } as const;

/** Query parameter of the form's target. The load balancers in operation/cluster use it. */
const NODE_PARAMETER = 'SvcNode';

const DAY_SECONDS = 86_400;

const LONGEST_USER = 64;

interface SignOnFormOptions {
  readonly security: SiteSecurity;
  /** Name of a CRYPTn tuple; by default the first one configured. */
  readonly crypt: string | undefined;
  readonly userId?: string;
}

/** The sign-on form, which is sent to its own URL. Without `given`, it is shown for the first time. */
export async function signOnForm(
  site: ClientSite,
  request: ClientRequest,
  { security, crypt, userId = '' }: SignOnFormOptions,
  given?: ServiceError,
): Promise<Answer> {
  const refusal = refusalOf(security, request, given);
  if (prefersJson(request.incoming.headers.accept)) {
    throw refusal ?? new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers: formChallenge(security) });
  }
  const page = await findProductPage(site, SIGN_ON_PAGE);
  if (page?.kind !== 'template') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const { sessions } = site;
  const address = addressOf(request.incoming);
  const challenge = await security.challenges.make(address, () => sessions.challenge(address, crypt));
  const names = requestNames(site, request, {
    page: SIGN_ON_PAGE,
    directory: site.entryPoint.definition.directory,
    transaction: undefined,
    routingParameter: undefined,
  });
  const { crypto } = challenge;
  const language = languageOf(request.incoming);
  const { node } = sessions;
  const variables: Readonly<Record<string, readonly string[]>> = {
    ...challengeVariables(challenge),
    '$SIGNON-PLACE$': [signOnTargetOf(site, request)],
    // client lines have a setting for it
    ...(site.portal === undefined ? {} : languageVariables(language, withoutNode(request.target))),
    ...(node === undefined
      ? {}
      : { '$SIGNON-ACTION$': [actionAt(node, request.target)], '$SIGNON-NEXT$': [withoutNode(request.target)] }),
    ...(refusal === undefined ? {} : { $ERRMSG$: [refusal.messageIn(language)] }),
    // an encrypted user ID is not sent back in clear text
    ...(userId === '' || crypto !== undefined ? {} : { '$SIGNON-USER$': [userId.slice(0, LONGEST_USER)] }),
  };
  const context = {
    ...sessionlessContext(page.template, {
      valuesOf: (variable: string) => variables[variable.toUpperCase()],
      names,
      trace: undefined,
      codePage: site.defaultCodePage,
    }),
    condition: (condition: string) => (condition === 'SIGNON-IS-NEEDED' ? 'NEEDED' : undefined),
    publicKey: (part: 'EXPONENT' | 'MODULUS', name: string) =>
      crypto?.name === name ? crypto.publicKey(part) : undefined,
    encryptionParameters: (name: string) => (crypto?.name === name ? crypto.parameters : undefined),
  };
  const result = await render(page.template, context);
  const status = refusal?.description.status ?? 401;
  const asked = status === 401 ? formChallenge(security) : {};
  const further = refusal === undefined ? [] : errorHeaders(refusal, status);
  const headers = withHeaders(renderedHeaders(result), Object.entries({ ...asked, ...Object.fromEntries(further) }));
  // the page with several sessions may frame an application's form; portal pages cannot be framed
  return asPrivate(
    { status, headers, body: result.body },
    site.portal === undefined ? sessionPolicy(embeddersOf(site)) : pagePolicy,
  );
}

/**
 * URL of the form's submit. It ends with the node for load balancers, because only that node has the form's key pair.
 */
function actionAt(node: string, target: RequestTarget): string {
  const query = queryWithoutNode(target);
  return `?${query}${query === '' ? '' : '&'}${NODE_PARAMETER}=${node}`;
}

function withoutNode(target: RequestTarget): string {
  const query = queryWithoutNode(target);
  return query === '' ? target.path : `${target.path}?${query}`;
}

function queryWithoutNode({ query }: RequestTarget): string {
  return query
    .split('&')
    .filter((pair) => !pair.startsWith(`${NODE_PARAMETER}=`))
    .join('&');
}

/** Reason shown with the form, including a sign-on of this browser that was replaced by a newer one. */
function refusalOf(
  { signOns, userSessions, cookieName }: SiteSecurity,
  { incoming }: ClientRequest,
  given: ServiceError | undefined,
): ServiceError | undefined {
  if (given !== undefined && given.code !== 'SVC_ERR_SIGNON_NEEDED') return given;
  const isReplaced = cookiesNamed(incoming, cookieName).some((code) => {
    const id = signOns.idOf(code);
    return id !== undefined && userSessions.wasReplaced(id);
  });
  return isReplaced ? new ServiceError('SVC_ERR_SIGNON_REPLACED', { headers: given?.headers ?? {} }) : given;
}

export function challengeVariables({ code, crypto }: SignOnChallenge): Readonly<Record<string, readonly string[]>> {
  if (crypto === undefined) return { '$SIGNON-CODE$': [code] };
  return {
    '$SIGNON-CODE$': [code],
    $ENCRYPTION$: [crypto.name],
    '$ENCRYPTION-PARAMETERS$': [crypto.parameters.map((member) => `'${member}'`).join(',')],
    $EXPONENT$: [crypto.publicKey('EXPONENT') ?? ''],
    $MODULUS$: [crypto.publicKey('MODULUS') ?? ''],
  };
}

function signOnTargetOf({ portal, entryPoint }: ClientSite, { path, incoming }: ClientRequest): string {
  if (portal !== undefined) return PortalWording.of(languageOf(incoming)).text('place');
  const transaction = path.kind === 'transaction' ? entryPoint.transaction(path.transaction) : undefined;
  return transaction?.description || transaction?.externalName || entryPoint.definition.description;
}

export function isSignOn({ incoming, body }: ClientRequest): boolean {
  return isPlainForm(incoming) && formFields(incoming, body, MOST_PARAMETERS).has(fields.code);
}

/**
 * Handles the submitted form: signs the user on and redirects to the form's URL, or answers JSON for the page's script.
 * @throws ServiceError SVC_ERR_REQUEST_ORIGIN, SVC_ERR_SUBMIT_TYPE; for scripts also the errors of the sign-on
 */
export async function answerSignOn(
  site: ClientSite,
  request: ClientRequest,
  options: SignOnFormOptions,
): Promise<Answer> {
  const { incoming, target } = request;
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  // read first, because reading the password overwrites the form's bytes
  const typed = isPlainForm(incoming) ? formFields(incoming, request.body, MOST_PARAMETERS) : undefined;
  const userId = typed?.get(fields.userId)?.[0];
  // the node that rendered the form has its key pair
  const other = otherNodeOf(site, incoming, typed?.get(fields.code)?.[0] ?? '');
  if (other !== undefined && request.body !== undefined) throw new OtherNodeError(other, request.body);
  let signOn: BegunSignOn;
  let device: string | undefined;
  try {
    signOn = await signOnWith(site, request, options.security);
    device = await options.security.service.newDeviceCode(signOn.user.name, cookiesNamed(incoming, DEVICE_COOKIE));
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    if (error.description.status >= 500 && error.code !== 'SVC_ERR_SECURITY_UNAVAILABLE') throw error;
    return signOnForm(site, request, { ...options, ...(userId === undefined ? {} : { userId }) }, error);
  }
  const cookieOf = (name: string, code: string) => embeddedCookie(site, incoming, strictCookie(incoming, name, code));
  const cookies = ['Set-Cookie', cookieOf(options.security.cookieName, signOn.code)];
  if (device !== undefined) {
    cookies.push('Set-Cookie', `${cookieOf(DEVICE_COOKIE, device)}; Max-Age=${DEVICE_DAYS * DAY_SECONDS}`);
  }
  if (prefersJson(incoming.headers.accept)) {
    const body = Buffer.from(JSON.stringify({ user: signOn.user.name }));
    const headers = dynamicHeaders('application/json', body.length, '0');
    return asPrivate({ status: 200, headers: [...headers, ...cookies], body });
  }
  const headers = [...dynamicHeaders('text/html', 0, '0'), 'Location', withoutNode(target), ...cookies];
  return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
}

/** True if the page encrypts the user ID too. A site may use its own older page that does not. */
async function encryptsUserId(site: ClientSite): Promise<boolean> {
  const page = await findProductPage(site, SIGN_ON_PAGE);
  if (page?.kind !== 'template') return false;
  return page.template.uses.declaredFields.some(
    ({ field, attributes }) => field === fields.userId && attributes.includes('ENCRYPTED'),
  );
}

async function signOnWith(
  site: ClientSite,
  { incoming, body }: ClientRequest,
  security: SiteSecurity,
): Promise<BegunSignOn> {
  const { log } = site;
  const userIdIsEncrypted = await encryptsUserId(site);
  const form = submittedForm(incoming, body, MOST_PARAMETERS);
  const field = (name: string) => form.get(name)?.[0] ?? '';
  const address = addressOf(incoming);
  const challenge = security.challenges.find(field(fields.code), address);
  if (challenge === undefined) {
    throw new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers: formChallenge(security) });
  }
  const encrypted = [fields.password, ...(userIdIsEncrypted ? [fields.userId] : [])];
  const clear = challenge.clearSecrets({
    secrets: encrypted.map((fieldId) => ({ fieldId, value: field(fieldId) })),
    wrappedKey: field(fields.sessionKey) || undefined,
    number: submitNumberOf(incoming),
  });
  const [password, userId = field(fields.userId)] = clear ?? [];
  if (password === undefined) throw new ServiceError('SVC_ERR_CRYPTO_REFUSED');
  const devices = cookiesNamed(incoming, DEVICE_COOKIE);
  const user = await security.service.signOn(address, userId.trim(), password, 'form', devices);
  security.challenges.end(challenge.code);
  // a new sign-on in this browser ends the previous ones; sessions are kept only for the same user
  const own: SignOn[] = [];
  for (const code of cookiesNamed(incoming, security.cookieName)) {
    const before = await security.signOns.end(code);
    if (before === undefined) continue;
    await security.audit.signedOff(address, before.user.name);
    if (before.user.name === user.name) own.push(before);
    else security.userSessions.disconnect(before);
  }
  try {
    const signOn = await security.signOns.begin(user);
    for (const before of own) security.userSessions.handOver(before, signOn);
    for (const replaced of signOn.replaced) {
      security.userSessions.replace(replaced);
      log.warn(
        { user: replaced.userName, by: user.name, reason: replacementReasons[replaced.bound] },
        'a newer sign-on has replaced the oldest one, and its sessions end',
      );
      await security.audit.replaced(address, user.name, replaced);
    }
    return signOn;
  } catch (error) {
    for (const before of own) security.userSessions.disconnect(before);
    throw error;
  }
}

/** Number of the submit, set by the form's script; 1 without a script. */
export function submitNumberOf({ headers }: IncomingMessage): number {
  const id = headers['x-svc-request-id'];
  return id === undefined ? 1 : readRequestNumber(String(id));
}

const SIGN_OFF = 'signoff';

/** `/signoff`. Must be added before routes that read bodies. */
export function addSignOff(router: ClientRouter, site: ClientSite): void {
  router.all(
    /^\/SIGNOFF$/,
    answering((request) => (isSignOff(request.path) ? answerSignOff(site, request) : undefined)),
  );
}

function isSignOff({ kind, directories, page }: RequestPath): boolean {
  return kind === 'page' && directories.length === 0 && page.toLowerCase() === SIGN_OFF;
}

/**
 * Signs the browser's user off, ends the sign-on's sessions and redirects to the first page. Also redirects without a
 * sign-on.
 */
async function answerSignOff({ security }: ClientSite, { incoming }: ClientRequest): Promise<Answer> {
  if (security === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  if (incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'POST' } });
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  for (const code of cookiesNamed(incoming, security.cookieName)) {
    const signOn = await security.signOns.end(code);
    if (signOn === undefined) continue;
    security.userSessions.disconnect(signOn);
    await security.audit.signedOff(addressOf(incoming), signOn.user.name);
  }
  const headers = dynamicHeaders('text/html', 0, '0');
  headers.push('Location', '/', 'Set-Cookie', withdrawnCookie(incoming, security.cookieName));
  return asPrivate({ status: 303, headers, body: Buffer.alloc(0) });
}
