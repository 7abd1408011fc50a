import Router from '@koa/router';
import type { SettingsStore } from '../../access/users/settings-store.js';
import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import { MOST_SETTINGS_BYTES, readSettings } from '../../terminal/settings/read-settings.js';
import type { SettingName, TerminalSettings } from '../../terminal/settings/terminal-settings.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { readRequestBody } from '../http/request-body.js';
import { isCrossSite, isForeignSubmit } from '../http/request-origin.js';
import type { PagePath } from '../http/request-path.js';
import { dynamicHeaders } from '../http/response-headers.js';
import { asPrivate } from '../sessions/session-rendering.js';
import { checkAfterBody, formChallenge, requester } from '../sign-on/signed-on-user.js';
import { changedSettings, freeSettings, siteSettings } from './site-settings.js';

const JSON_TYPE = 'application/json';
const NOTHING_SET = '{}';
const MOST_ATTEMPTS = 5;
export const settingsMethods: readonly string[] = ['GET', 'HEAD', 'PUT'];

/** `/w2h/user/settings.json` of a client line: signed-on users read and save their terminal settings. */
export function settingsRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  const { settings } = site;
  if (settings === undefined) return router;
  router.all(
    /^\/W2H\/USER\/SETTINGS\.JSON$/,
    answeringOnly('page', (request) => answerSettings(site, settings, request)),
  );
  return router;
}

/**
 * @throws ServiceError SVC_ERR_SIGNON_NEEDED, SVC_ERR_SETTINGS_CONTENT, SVC_ERR_SETTINGS_CHANGED,
 * SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_REQUEST_BODY_SIZE, SVC_ERR_REQUEST_BODY_TYPE
 */
async function answerSettings(
  site: ClientSite,
  store: SettingsStore,
  { incoming }: ClientRequest<PagePath>,
): Promise<Answer> {
  const { security } = site;
  if (!settingsMethods.includes(incoming.method ?? '')) {
    throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: settingsMethods.join(', ') } });
  }
  if (security === undefined) throw new ServiceError('SVC_ERR_TRANSACTION_SECURED');
  if (isCrossSite(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const found = await requester(security, incoming);
  if (found === undefined) throw new ServiceError('SVC_ERR_SIGNON_NEEDED', { headers: formChallenge(security) });
  const { name, groups } = found.user;
  const { locked } = siteSettings(site, groups[0] ?? '');
  if (incoming.method !== 'PUT') {
    return settingsAnswer(await store.read(name), locked, incoming.headers['if-none-match']);
  }
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  if (mediaTypeOf(incoming.headers['content-type']) !== JSON_TYPE) {
    throw new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: { code: 'body.type', values: { type: JSON_TYPE } } });
  }
  const wanted = soundSettings(await readRequestBody(incoming, MOST_SETTINGS_BYTES));
  await checkAfterBody(security, found, 'user');
  const { headers } = incoming;
  const expected = headers['if-none-match']?.trim() === '*' ? null : headers['if-match']?.trim();
  const etag = await changeSettings(store, name, { wanted, locked, expected });
  return asPrivate({
    status: 204,
    headers: [...dynamicHeaders(JSON_TYPE, 0, '0'), 'ETag', etag],
    body: Buffer.alloc(0),
  });
}

interface SettingsChange {
  readonly wanted: Partial<TerminalSettings>;
  readonly locked: readonly SettingName[];
  readonly expected: string | null | undefined;
}

async function changeSettings(
  store: SettingsStore,
  user: string,
  { wanted, locked, expected }: SettingsChange,
): Promise<string> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const stored = await store.read(user);
    const seen = stored?.etag ?? null;
    if (expected !== undefined && seen !== expected) break;
    const text = JSON.stringify(changedSettings(settingsIn(stored?.text), wanted, locked));
    if (Buffer.byteLength(text) > MOST_SETTINGS_BYTES) {
      const values = { most: MOST_SETTINGS_BYTES };
      throw new ServiceError('SVC_ERR_SETTINGS_CONTENT', { detail: { code: 'setting.bytes', values } });
    }
    const written = await store.write(user, text, seen);
    if (written.kind === 'stored') return written.etag;
  }
  throw new ServiceError('SVC_ERR_SETTINGS_CHANGED');
}

function settingsIn(text: string | undefined): Partial<TerminalSettings> {
  return readSettings(JSON.parse(text ?? NOTHING_SET)).settings;
}

function soundSettings(bytes: Buffer): Partial<TerminalSettings> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ServiceError('SVC_ERR_SETTINGS_CONTENT', { detail: { code: 'body.json' } });
  }
  const { settings, faults } = readSettings(value);
  const [first] = faults;
  if (first !== undefined) {
    const { name, reason: problem } = first;
    const detail: Reason =
      name === ''
        ? { code: 'setting.faultOfFile', values: { problem } }
        : { code: 'setting.fault', values: { name, problem } };
    throw new ServiceError('SVC_ERR_SETTINGS_CONTENT', { detail });
  }
  return settings;
}

function settingsAnswer(
  stored: { readonly text: string; readonly etag: string } | undefined,
  locked: readonly SettingName[],
  known: string | undefined,
): Answer {
  const isKnown = stored !== undefined && known?.split(',').some((one) => one.trim() === stored.etag) === true;
  const body = Buffer.from(isKnown ? '' : JSON.stringify(freeSettings(settingsIn(stored?.text), locked)));
  const headers = dynamicHeaders(JSON_TYPE, body.length, '0');
  if (stored !== undefined) headers.push('ETag', stored.etag);
  return asPrivate({ status: isKnown ? 304 : 200, headers, body });
}
