import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import type { AuditEntry } from '../../access/audit/audit-entry.js';
import { isBoundedJson } from '../../lib/documents/bounded-json.js';
import { isObject } from '../../lib/documents/json-checks.js';
import { ServiceError } from '../../lib/errors.js';
import { type Detail, detailText, type Language, type Reason } from '../../lib/locale.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import { LONGEST_DRAFT_TEXT } from '../../services/draft-store.js';
import type { ServiceTexts } from '../../services/service-publishing.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { isSessionCode } from '../../sessions/session-code.js';
import { OtherNodeError, otherNodeOf } from '../forwarding/forwarding.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { readRequestBody } from '../http/request-body.js';
import { isForeignSubmit } from '../http/request-origin.js';
import type { PagePath } from '../http/request-path.js';
import { ordererOf, senderAddress } from '../http/request-sender.js';
import { sessionCookiesOf } from '../sessions/session-cookie.js';
import { privateJson } from '../sessions/session-rendering.js';
import { formChallenge, requester } from '../sign-on/signed-on-user.js';
import { languageOf } from '../words/page-words.js';
import type { SiteRecordings, TrialEnd } from './recording-ports.js';

const JSON_TYPE = 'application/json';
const LARGEST_BODY_BYTES = 512 * 1024;
/** Limits of the body. A trial has 100 parameters with text values. */
const RECORDING_BOUNDS = { deepest: 32, most: 1_000 } as const;
const TRIAL_MILLISECONDS = 60_000;

const tried = new WeakSet<BrowserSession>();

/** By the last segment of the path. */
export const recordingAnswers = { check: answerCheck, try: answerTrial, drafts: answerDraft } as const;

interface RecordingRequest {
  readonly site: ClientSite;
  readonly recordings: SiteRecordings;
  readonly request: ClientRequest<PagePath>;
  readonly session: BrowserSession;
  readonly texts: ServiceTexts;
  readonly values: Readonly<Record<string, unknown>>;
}

export function recordingRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  const { recordings } = site;
  if (recordings === undefined || site.portal !== undefined) return router;
  for (const [name, answer] of Object.entries(recordingAnswers)) {
    router.all(
      new RegExp(`^/W2H/SERVICES/${name.toUpperCase()}$`),
      answeringOnly('page', async (request) => answer(await readRecording(site, recordings, request))),
    );
  }
  return router;
}

/**
 * Accepts only requests of a page that shows a session of this server.
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_SESSION_UNKNOWN,
 * SVC_ERR_RECORDING_CONTENT
 */
async function readRecording(
  site: ClientSite,
  recordings: SiteRecordings,
  request: ClientRequest<PagePath>,
): Promise<RecordingRequest> {
  const { incoming } = request;
  if (incoming.method !== 'POST') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'POST' } });
  if (isForeignSubmit(incoming)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  if (mediaTypeOf(incoming.headers['content-type']) !== JSON_TYPE)
    throw faulty({ code: 'body.type', values: { type: JSON_TYPE } });
  const bytes = await readRequestBody(incoming, LARGEST_BODY_BYTES);
  const body = parsed(bytes);
  const { session: code, screens, service, values = {} } = body;
  if (typeof code !== 'string' || !isSessionCode(code)) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
  const other = otherNodeOf(site, incoming, code);
  if (other !== undefined) throw new OtherNodeError(other, bytes);
  const session = site.sessions.registry.find(code, site.line.name, sessionCookiesOf(incoming));
  if (session === undefined || !session.isOpen) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
  if (!isObject(values)) throw faulty({ code: 'body.objectNamed', values: { name: 'values' } });
  return { site, recordings, request, session, values, texts: { screens: text(screens), service: text(service) } };
}

async function answerCheck({ recordings, request, texts }: RecordingRequest): Promise<Answer> {
  return privateJson(200, await recordings.check(texts, ordererOf(request.incoming, request.signal)));
}

async function answerTrial(asked: RecordingRequest): Promise<Answer> {
  const language = languageOf(asked.request.incoming);
  const end = await trialEnd(asked, language);
  if (end.kind === 'done') return privateJson(200, end);
  return privateJson(200, { ...end, reasons: end.reasons.map((reason) => detailText(reason, language)) });
}

async function trialEnd(
  { recordings, texts, values, session, request }: RecordingRequest,
  language: Language,
): Promise<TrialEnd> {
  if (session.crypto !== undefined) {
    const { service } = await recordings.check(texts, ordererOf(request.incoming, request.signal));
    const secret = service?.parameters.find(({ isSecret }) => isSecret);
    if (secret !== undefined) {
      return notBegun({ code: 'trial.encrypted', values: { name: secret.name } });
    }
  }
  if (tried.has(session)) return notBegun({ code: 'trial.running' });
  const over = new AbortController();
  const end = () => over.abort();
  session.whenEnded(end);
  if (request.signal.aborted) end();
  request.signal.addEventListener('abort', end);
  tried.add(session);
  session.seen();
  try {
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(TRIAL_MILLISECONDS)]);
    const trier = { ...ordererOf(request.incoming, request.signal), signal };
    return await recordings.walk(texts, values, session.guarded.walk(senderAddress(request.incoming)), trier);
  } catch (error) {
    if (error instanceof ServiceError && error.description.status !== 500 && !over.signal.aborted) {
      return stopped(error, language);
    }
    if (!over.signal.aborted && !(error instanceof DOMException)) throw error;
    return over.signal.aborted
      ? notBegun({ code: 'trial.sessionEnded' })
      : notBegun({ code: 'trial.seconds', values: { most: TRIAL_MILLISECONDS / 1_000 } });
  } finally {
    tried.delete(session);
  }
}

async function answerDraft({ site, recordings, request, texts }: RecordingRequest): Promise<Answer> {
  const { security } = site;
  const found = await requester(security, request.incoming);
  if (security === undefined || found === undefined) {
    throw new ServiceError('SVC_ERR_SIGNON_NEEDED', security && { headers: formChallenge(security) });
  }
  const { service } = await recordings.check(texts, ordererOf(request.incoming, request.signal));
  if (service === undefined) throw faulty({ code: 'service.hasErrors' });
  const user = found.user.name;
  const draft = { id: randomUUID(), name: service.name, user, storedAt: Date.now(), ...texts };
  const entry: AuditEntry = {
    who: user,
    from: senderAddress(request.incoming),
    what: 'draft.stored',
    subject: service.name,
    after: { id: draft.id, characters: texts.screens.length + texts.service.length },
  };
  await recordings.audit.record(entry, async () => {
    if (!(await recordings.drafts.add(draft))) throw new ServiceError('SVC_ERR_DRAFTS_FULL');
  });
  return privateJson(201, { id: draft.id, name: draft.name });
}

/** A rule of the transaction ended the trial. The result has no picture of the screen. */
function stopped(error: ServiceError, language: Language): TrialEnd {
  return { kind: 'stopped', reasons: [error.publicTextIn(language)], picture: undefined };
}

function notBegun(...reasons: readonly Detail[]): TrialEnd {
  return { kind: 'notBegun', reasons };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw faulty({ code: 'service.texts' });
  if (value.length > LONGEST_DRAFT_TEXT)
    throw faulty({ code: 'service.longText', values: { most: LONGEST_DRAFT_TEXT } });
  return value;
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  const text = body.toString('utf8');
  if (!isBoundedJson(text, RECORDING_BOUNDS)) {
    const { deepest, most } = RECORDING_BOUNDS;
    throw faulty({ code: 'body.jsonBounds', values: { most, deepest } });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw faulty({ code: 'body.json' });
  }
  if (!isObject(value)) throw faulty({ code: 'body.object' });
  return value;
}

function faulty(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_RECORDING_CONTENT', { detail });
}
