import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import { compareNames, foldedName } from '../../access/users/security-name.js';
import type { SecurityUser } from '../../access/users/user-store.js';
import { ServiceError } from '../../lib/errors.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import { MACRO_FILE_NAME, type MacroDirectory, type MacroLevel, macroLevels } from '../../macros/macro-directory.js';
import { EMPTY_MACRO_SET } from '../../macros/macro-service.js';
import { MOST_MACRO_FILE_BYTES } from '../../macros/macro-set.js';
import type { Answer } from '../http/answer.js';
import {
  answering,
  answeringOnly,
  type ClientRequest,
  type ClientRouter,
  type ClientState,
} from '../http/client-request.js';
import type { ClientSite, SiteMacros } from '../http/client-site.js';
import { readRequestBody } from '../http/request-body.js';
import { isCrossSite, isForeignSubmit } from '../http/request-origin.js';
import { parameterNamed } from '../http/request-parameters.js';
import type { PagePath } from '../http/request-path.js';
import { senderAddress } from '../http/request-sender.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { asPrivate } from '../sessions/session-rendering.js';
import { checkAfterBody, formChallenge, requester } from '../sign-on/signed-on-user.js';
import { hasRole } from '../sign-on/site-security.js';
import { answerOwnUpload, answerSecure, isOwnUpload } from './secure-answer.js';

const PREFIX = 'w2h';
const JSON_TYPE = 'application/json';

const readMethods = ['GET', 'HEAD'] as const;

export function macroMethods(level: MacroLevel): readonly string[] {
  return level === 'global' ? readMethods : [...readMethods, 'PUT'];
}

/** `/w2h/<level>/macros.json` (reference 5.3). */
function macroLevelOf(path: PagePath): MacroLevel | undefined {
  const [prefix, level, ...others] = path.directories;
  if (others.length > 0 || prefix?.toLowerCase() !== PREFIX) return undefined;
  if (path.page.toLowerCase() !== MACRO_FILE_NAME) return undefined;
  return macroLevels.find((known) => known === level?.toLowerCase());
}

/**
 * Centralized macros: `/w2h/<level>/macros.json` and uploads of the user's own macros on a client line, `/SECURE/…` on
 * a portal line. All of `/SECURE/` is reserved for administrators.
 */
export function macroRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  if (site.macros === undefined) return router;
  if (site.portal !== undefined) {
    router.all(
      /^\/SECURE\/[^/]*$/,
      answering((request) => answerSecure(site, request)),
    );
    return router;
  }
  router.all(
    /^\/W2H\/(?:GLOBAL|GROUP|USER)\/MACROS\.JSON$/,
    answeringOnly('page', (request) => {
      const level = macroLevelOf(request.path);
      return level === undefined ? undefined : answerMacros(site, request, level);
    }),
  );
  router.all(
    /^\/W2H\/GROUP\/PUBLISHING\.JSON$/,
    answeringOnly('page', (request) => answerPublishing(site, request)),
  );
  router.all(
    /\+UPLUSR1?$/,
    answeringOnly('transaction', (request) => {
      const isOurs = isOwnUpload(request.path) && site.entryPoint.transaction(request.path.transaction) === undefined;
      return isOurs ? answerOwnUpload(site, request) : undefined;
    }),
  );
  return router;
}

/**
 * Answers `/w2h/global|group|user/macros.json` of a client line. Signed-on users read the macros of all three levels
 * and save their own. Publishers also read and save the macros of the group in `GROUP`, by default their default group;
 * the Allow header shows this.
 * @throws ServiceError SVC_ERR_SIGNON_NEEDED, SVC_ERR_SIGNON_ROLE, SVC_ERR_MACRO_*, SVC_ERR_REQUEST_METHOD,
 * SVC_ERR_REQUEST_ORIGIN
 */
async function answerMacros(
  site: ClientSite,
  { incoming, parameters }: ClientRequest<PagePath>,
  level: MacroLevel,
): Promise<Answer> {
  const { security, macros, found } = await asked(site, incoming, macroMethods(level));
  const { user } = found;
  const named = level === 'group' ? parameterNamed(parameters, 'GROUP') : undefined;
  if (incoming.method !== 'PUT') {
    const directory = named === undefined ? directoryOf(level, user) : await namedDirectory(user, macros, named);
    const { bytes, etag } =
      directory === undefined
        ? { bytes: Buffer.from(EMPTY_MACRO_SET), etag: undefined }
        : await macros.service.read(directory);
    const answer = fileAnswer(bytes, etag, incoming.headers['if-none-match']);
    const maySave = directory !== undefined && (level === 'user' || (level === 'group' && isPublisher(user, macros)));
    return {
      ...answer,
      headers: [...answer.headers, 'Allow', (maySave ? macroMethods(level) : readMethods).join(', ')],
    };
  }
  const writable = (now: SecurityUser) =>
    level === 'user' ? directoryOf(level, now) : namedDirectory(now, macros, named);
  await writable(user);
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  if (mediaTypeOf(incoming.headers['content-type']) !== JSON_TYPE)
    throw new ServiceError('SVC_ERR_MACRO_TYPE', { detail: { code: 'body.type', values: { type: JSON_TYPE } } });
  const body = await macroFile(incoming);
  const directory = await writable(await checkAfterBody(security, found, 'user'));
  if (directory === undefined) throw new ServiceError('SVC_ERR_SIGNON_ROLE');
  const actor = { who: user.name, from: senderAddress(incoming) };
  const { after } = await macros.service.write(directory, body, actor, expectedOf(incoming.headers));
  const headers = dynamicHeaders(JSON_TYPE, 0, '0');
  return asPrivate({ status: 204, headers: [...headers, 'ETag', after.etag], body: Buffer.alloc(0) });
}

async function answerPublishing(site: ClientSite, { incoming }: ClientRequest<PagePath>): Promise<Answer> {
  const { macros, found } = await asked(site, incoming, readMethods);
  const groups = await publishableGroups(found.user, macros);
  return fileAnswer(Buffer.from(JSON.stringify({ groups })), undefined, undefined);
}

async function asked({ security, macros }: ClientSite, incoming: IncomingMessage, methods: readonly string[]) {
  if (macros?.service.isConfigured !== true) throw new ServiceError('SVC_ERR_MACRO_UNCONFIGURED');
  if (!methods.includes(incoming.method ?? '')) {
    throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: methods.join(', ') } });
  }
  if (security === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  if (isCrossSite(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const found = await requester(security, incoming);
  if (found === undefined) throw new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers: formChallenge(security) });
  return { security, macros, found };
}

async function namedDirectory(user: SecurityUser, macros: SiteMacros, name: string | undefined) {
  const directory = await publishedDirectory(user, macros, name);
  if (directory === undefined) {
    throw new ServiceError('SVC_ERR_SIGNON_ROLE', { detail: { code: 'macro.mayNotPublish' } });
  }
  return directory;
}

function directoryOf(level: MacroLevel, user: SecurityUser): MacroDirectory | undefined {
  if (level === 'global') return { level };
  const name = level === 'user' ? user.name : user.groups[0];
  return name === undefined ? undefined : { level, name };
}

function fileAnswer(bytes: Buffer, etag: string | undefined, known: string | undefined): Answer {
  const isKnown = etag !== undefined && known?.split(',').some((one) => one.trim() === etag) === true;
  const headers = dynamicHeaders(JSON_TYPE, isKnown ? 0 : bytes.length, '0');
  if (etag !== undefined) headers.push('ETag', etag);
  return asPrivate({ status: isKnown ? 304 : 200, headers, body: isKnown ? Buffer.alloc(0) : bytes });
}

async function macroFile(incoming: ClientRequest['incoming']): Promise<Buffer> {
  try {
    return await readRequestBody(incoming, MOST_MACRO_FILE_BYTES);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('SVC_ERR_MACRO_SIZE', { detail: error.givenDetail });
  }
}

/** Version that the client expects (RFC 9110, section 13.1): null for none, undefined if not specified. */
function expectedOf(headers: ClientRequest['incoming']['headers']): string | null | undefined {
  if (headers['if-none-match']?.trim() === '*') return null;
  return headers['if-match']?.trim();
}

const MOST_GROUPS_TOLD = 1_000;

/** Administrators publish to every group, members of the publishers' group to their own groups. */
function isPublisher(user: SecurityUser, { publishers }: SiteMacros): boolean {
  return hasRole(user, 'administrator') || (publishers !== undefined && isIn(user, publishers));
}

async function publishableGroups(user: SecurityUser, macros: SiteMacros): Promise<readonly string[]> {
  if (!isPublisher(user, macros)) return [];
  const groups = hasRole(user, 'administrator') ? await macros.service.groups() : user.groups.toSorted(compareNames);
  return groups.slice(0, MOST_GROUPS_TOLD);
}

/** @throws ServiceError SVC_ERR_MACRO_DIRECTORY if an administrator names an unknown group, or the user has no group */
async function publishedDirectory(
  user: SecurityUser,
  macros: SiteMacros,
  name: string | undefined,
): Promise<MacroDirectory | undefined> {
  if (!isPublisher(user, macros)) return undefined;
  const group = name ?? user.groups[0];
  if (group === undefined) throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.noGroup' } });
  if (hasRole(user, 'administrator')) return macros.service.directory('group', group);
  const own = user.groups.find((one) => foldedName(one) === foldedName(group));
  return own === undefined ? undefined : { level: 'group', name: own };
}

function isIn({ groups }: SecurityUser, name: string): boolean {
  return groups.some((group) => foldedName(group) === foldedName(name));
}
