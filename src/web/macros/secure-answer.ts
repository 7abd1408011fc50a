import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import { DIRECTORY_KEY_LENGTH } from '../../macros/directory-key.js';
import type { MacroDirectory, MacroLevel } from '../../macros/macro-directory.js';
import type { StoredMacros } from '../../macros/macro-store.js';
import type { TemplateFile } from '../../templates/compiled-template.js';
import { render, sessionlessContext } from '../../templates/render.js';
import type { Capability, CapabilityTokens } from '../../templates/render-context.js';
import type { Answer } from '../http/answer.js';
import type { ClientRequest } from '../http/client-request.js';
import { type ClientSite, findProductPage, type SiteMacros } from '../http/client-site.js';
import { answerPolicy } from '../http/content-security-policy.js';
import { type ErrorHeaders, errorHeaders, serviceErrorOf } from '../http/error-response.js';
import { requestNames } from '../http/request-names.js';
import { isCrossSite } from '../http/request-origin.js';
import { parameterNamed } from '../http/request-parameters.js';
import type { TransactionPath } from '../http/request-path.js';
import { senderAddress } from '../http/request-sender.js';
import { dynamicHeaders, withHeaders } from '../http/response-headers.js';
import { renderedHeaders } from '../pages/page-rendering.js';
import { asPrivate } from '../sessions/session-rendering.js';
import type { Requester } from '../sessions/user-sessions.js';
import { basicUser, formChallenge, requester } from '../sign-on/signed-on-user.js';
import { hasRole, type SiteSecurity } from '../sign-on/site-security.js';
import { admitUpload, type UploadEntry, uploadEntries } from './upload-entry.js';

export function isOwnUpload(path: TransactionPath): boolean {
  const target = secureTarget(path);
  return target?.kind === 'upload' && target.level === 'user';
}

/**
 * Answers `/SECURE/…` of a portal line (specification 4.3 and 4.4): directory keys and uploads. The answer is the page
 * that the URL names. Every refused upload has a return code.
 * @throws ServiceError for requests other than uploads: SVC_ERR_SIGNON_*, SVC_ERR_TEMPLATE_UNKNOWN,
 * SVC_ERR_TRANSACTION_UNKNOWN, SVC_ERR_REQUEST_METHOD
 */
export async function answerSecure(site: ClientSite, request: ClientRequest): Promise<Answer> {
  const { path, incoming } = request;
  const target = path.kind === 'transaction' ? secureTarget(path) : undefined;
  // a POST to an unknown function is a failed upload
  const isUpload = target === undefined ? incoming.method === 'POST' : target.kind === 'upload';
  return isUpload
    ? uploadAnswer(() => securelyAnswered(site, request, target))
    : securelyAnswered(site, request, target);
}

async function securelyAnswered(
  site: ClientSite,
  request: ClientRequest,
  target: SecureTarget | undefined,
): Promise<Answer> {
  const { security } = site;
  if (security === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const user = await basicUser(security, request.incoming);
  if (!hasRole(user, uploadEntries.secure.role)) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
  const { path } = request;
  if (path.kind !== 'transaction') throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const granted = { site, security, request: { ...request, path }, requester: { user, signOn: undefined } };
  if (target !== undefined) return answerTarget(granted, target, uploadEntries.secure);
  const unknown = new ServiceError('SVC_ERR_TRANSACTION_UNKNOWN');
  const page = await findProductPage(site, path.page);
  const answersUploads =
    page?.kind === 'template' && page.template.variables.some((name) => name.toUpperCase() === RETURN_CODE_VARIABLE);
  if (!answersUploads) throw unknown;
  return pageAnswer(granted, page, refusedAnswer(unknown), new Map());
}

/**
 * Answers an upload of a user's own macros on a client line, with a key issued to a page of that line (reference 5.3).
 * Every refusal has a return code.
 */
export async function answerOwnUpload(site: ClientSite, request: ClientRequest<TransactionPath>): Promise<Answer> {
  return uploadAnswer(async () => {
    const { security } = site;
    const target = secureTarget(request.path);
    if (security === undefined || target === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_UNKNOWN');
    const found = await requester(security, request.incoming);
    if (found === undefined) throw new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers: formChallenge(security) });
    return answerTarget({ site, security, request, requester: found }, target, uploadEntries.own);
  });
}

/** Converts errors to answers with a return code, including errors before the page is found. */
async function uploadAnswer(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    return refusalInText(serviceErrorOf(thrown));
  }
}

interface GrantedRequest {
  readonly site: ClientSite;
  readonly security: SiteSecurity;
  readonly request: ClientRequest<TransactionPath>;
  readonly requester: Requester;
}

async function answerTarget(granted: GrantedRequest, target: SecureTarget, entry: UploadEntry): Promise<Answer> {
  const { site, request } = granted;
  const { incoming, path } = request;
  if (target.kind === 'keyLookup') {
    checkKeyLookup(incoming);
    const { page, macros } = await answerPage(site, path);
    return keyAnswer(granted, macros, page);
  }
  const { page, macros } = await answerPage(site, path);
  const uploaded = await upload(granted, entry, macros, target);
  return pageAnswer(granted, page, uploaded, new Map());
}

function checkKeyLookup(incoming: ClientRequest['incoming']): void {
  if (incoming.method !== 'GET') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
  // a browser adds HTTP Basic credentials to cross-site requests as well
  if (isCrossSite(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
}

async function answerPage(
  site: ClientSite,
  { page: name }: TransactionPath,
): Promise<{ page: TemplateFile; macros: SiteMacros }> {
  const page = await findProductPage(site, name);
  const { macros } = site;
  if (page?.kind !== 'template' || macros === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  return { page, macros };
}

/** Answers with the keys of the group and the user in the query, as headers and as rows of the body. */
async function keyAnswer(granted: GrantedRequest, { service }: SiteMacros, page: TemplateFile): Promise<Answer> {
  const {
    request,
    requester: { user },
  } = granted;
  const group = parameterNamed(request.parameters, 'GROUP');
  const userId = parameterNamed(request.parameters, 'USER');
  if (group === undefined && userId === undefined) {
    throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.directory' } });
  }
  void service.store;
  const keyOf = async (level: MacroLevel, name: string | undefined) =>
    name === undefined ? undefined : service.issueKey(await service.directory(level, name), user.name);
  const userKey = await keyOf('user', userId);
  const groupKey = await keyOf('group', group);
  const [ownGroup] = user.groups;
  const issue: Readonly<Record<Capability, () => Promise<string | undefined>>> = {
    'TO-ALLOW-READ-OF-SCENARIO-TRACE': async () => undefined,
    'GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID': async () =>
      service.issueKey({ level: 'user', name: user.name }, user.name),
    'GIVING-ACCESS-TO-%GROUP%-DIRECTORY-WITH-MY-USERID': async () =>
      ownGroup === undefined ? undefined : service.issueKey({ level: 'group', name: ownGroup }, user.name),
    'GIVING-ACCESS-TO-%USER%-DIRECTORY-IN-VARIABLE-%USER%': async () => userKey,
    'GIVING-ACCESS-TO-%GROUP%-DIRECTORY-IN-VARIABLE-%GROUP%': async () => groupKey,
  };
  const capabilities = new Map<Capability, string>();
  for (const type of page.template.uses.capabilities) {
    const key = await issue[type]();
    if (key !== undefined) capabilities.set(type, key);
  }
  const variables = new Map<string, readonly string[]>();
  if (groupKey !== undefined) variables.set('$GROUP-KEY$', [groupKey]);
  if (userKey !== undefined) variables.set('$USER-KEY$', [userKey]);
  return pageAnswer(granted, page, { status: 200, variables }, capabilities);
}

/** Refusals are also answered with the page, including SVC_ERR_AUDIT_UNAVAILABLE. Other server errors are thrown. */
async function upload(
  granted: GrantedRequest,
  entry: UploadEntry,
  { service }: SiteMacros,
  { level, key, fault }: SecureTarget & { kind: 'upload' },
): Promise<UploadAnswer> {
  const {
    request: { incoming },
    requester: { user },
  } = granted;
  try {
    const admitted = admitUpload(entry, incoming, granted);
    void service.store;
    if (fault !== undefined) throw new ServiceError('SVC_ERR_REQUEST_PATH', { detail: fault });
    const directoryNow = async (): Promise<MacroDirectory> => {
      const directory: MacroDirectory = level === 'global' ? { level } : await service.directoryOfKey(key, user.name);
      if (directory.level !== level) throw new ServiceError('SVC_ERR_MACRO_KEY');
      admitted.checkDirectory(directory);
      return directory;
    };
    await directoryNow();
    const { file = Buffer.alloc(0) } = await admitted.read();
    // checked again, because the directory can be removed while the body arrives
    const directory = await directoryNow();
    const from = senderAddress(incoming);
    const { after } = await service.write(directory, file, { who: user.name, from });
    return fineAnswer(after);
  } catch (error) {
    if (
      error instanceof ServiceError &&
      (error.description.status < 500 || error.code === 'SVC_ERR_AUDIT_UNAVAILABLE')
    ) {
      return refusedAnswer(error);
    }
    throw error;
  }
}

async function pageAnswer(
  { site, request, requester: { user } }: GrantedRequest,
  { template }: TemplateFile,
  { status, headers = [], variables, refusal }: UploadAnswer,
  capabilities: CapabilityTokens,
): Promise<Answer> {
  const names = requestNames(site, request, {
    page: request.path.page,
    directory: site.entryPoint.definition.directory,
    transaction: undefined,
    routingParameter: undefined,
    user,
  });
  const valuesOf = (variable: string) => {
    const given = variables.get(variable.toUpperCase());
    return given ?? (/^(?:GROUP|USER)$/i.test(variable) ? request.parameters.get(variable) : undefined);
  };
  const { defaultCodePage: codePage } = site;
  const context = sessionlessContext(template, { valuesOf, names, trace: undefined, codePage });
  const result = await render(template, { ...context, capabilities });
  return {
    status,
    headers: withHeaders(renderedHeaders(result), [['Cache-Control', 'no-store'], ...headers]),
    body: result.body,
    tightHeaders: result.tightHeaders,
    ...(refusal && { refusal }),
  };
}

type SecureTarget =
  | { readonly kind: 'keyLookup' }
  /** The key is empty if the path has none or a malformed one. A fault refuses the upload. */
  | { readonly kind: 'upload'; readonly level: MacroLevel; readonly key: string; readonly fault?: Reason };

const KEY_LOOKUP = 'USRCAP';
const uploads: Readonly<Record<string, MacroLevel>> = { UPLGLB: 'global', UPLGRP: 'group', UPLUSR: 'user' };

export const secureTransactions: ReadonlyMap<string, 'GET' | 'POST'> = new Map([
  [KEY_LOOKUP, 'GET'],
  ...Object.keys(uploads).map((name) => [name, 'POST'] as const),
]);

const PATHS = { group: '+uplgrp', user: '+uplusr' } as const;

const KEY_NAME = /^x-svc-(group|user)-directory:(.*)$/i;
/**
 * Clients that copy the key from a JSON row also send its blank and quotation marks. The pattern matches them in only
 * one way, so matching stays linear.
 */
const WRITTEN_KEY = new RegExp(`^[ "]*([A-Za-z0-9_-]{${DIRECTORY_KEY_LENGTH}})[ "]*(?:1[ "]*)?$`);

/**
 * Reads the transaction of a path and the key after it; the name of the key must match the level. The reference client
 * appends the character `1`, so one `1` is dropped here. Keys have a fixed length, so a key that ends with `1` stays
 * complete. Nothing follows the transaction for the global directory, one part for the other two.
 * @returns undefined if the path names another transaction
 */
export function secureTarget({ transaction, userData }: TransactionPath): SecureTarget | undefined {
  const name = transaction.toUpperCase();
  if (name === KEY_LOOKUP && userData === undefined) return { kind: 'keyLookup' };
  const level = uploads[userData === undefined ? name.replace(/1$/, '') : name];
  if (level === undefined) return undefined;
  const fault = faultOf(level, userData);
  if (fault !== undefined) return { kind: 'upload', level, key: '', fault };
  const [, named = '', written = ''] = KEY_NAME.exec(userData ?? '') ?? [];
  const key = named.toLowerCase() === level ? WRITTEN_KEY.exec(written)?.[1] : undefined;
  return { kind: 'upload', level, key: key ?? '' };
}

function faultOf(level: MacroLevel, userData: string | undefined): Reason | undefined {
  if (userData === undefined) return undefined;
  if (level === 'global') return { code: 'path.globalUpload' };
  return userData.includes('+') ? { code: 'path.oneKey', values: { path: PATHS[level] } } : undefined;
}

/** Variables of the upload's page (reference 5.5). */
interface UploadAnswer {
  readonly status: number;
  readonly headers?: ErrorHeaders;
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly refusal?: ServiceError;
}

const RETURN_CODE_VARIABLE = '$RETURN-CODE$';
const MESSAGE_VARIABLE = '$UPLOAD-MESSAGE$';

const FINE = '00';
const REFUSED = '08';

function fineAnswer({ bytes }: StoredMacros): UploadAnswer {
  return answerWith(200, FINE, [
    'MESSAGE RECEIVED',
    'LOADING FILE: MACROS.JSON',
    `SIZE : ${bytes.length} BYTES (TEXT)`,
    'MIME : application/json',
  ]);
}

function refusedAnswer(error: ServiceError): UploadAnswer {
  const { status } = error.description;
  const answer = answerWith(status, REFUSED, ['MESSAGE RECEIVED', `REFUSED: ${error.publicTextIn('en')}`]);
  return { ...answer, headers: errorHeaders(error, status), refusal: error };
}

/**
 * A refusal without the page that the URL names, so that unauthorized senders learn nothing about pages. Same rows as
 * `UPLOAD.TXT`.
 */
function refusalInText(error: ServiceError): Answer {
  const { status, headers: further = [], variables, refusal } = refusedAnswer(error);
  const messages = (variables.get(MESSAGE_VARIABLE) ?? []).map((message) => `${message}\n`).join('');
  const body = Buffer.from(`RETURN CODE IS: ${REFUSED}\n${messages}`);
  const headers = withHeaders(dynamicHeaders('text/plain', body.length, '0'), [...further]);
  return asPrivate({ status, headers, body, ...(refusal && { refusal }) }, answerPolicy);
}

function answerWith(status: number, code: string, messages: readonly string[]): UploadAnswer {
  const time = new Date().toTimeString().slice(0, 8).replaceAll(':', '');
  return {
    status,
    variables: new Map([
      [RETURN_CODE_VARIABLE, [code]],
      [MESSAGE_VARIABLE, messages.map((message) => `${time} ${message}`)],
    ]),
  };
}
