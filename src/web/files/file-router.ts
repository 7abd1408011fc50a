import Router from '@koa/router';
import type { FileTransfer } from '../../conversation/file-transfer.js';
import { ServiceError } from '../../errors.js';
import type { TransferOptions } from '../../file-transfer/transfer-options.js';
import { mediaTypeOf } from '../../media-type.js';
import { type AuditEntry, NOBODY_SIGNED_ON } from '../../security/audit-entry.js';
import { asSentence } from '../../sentence.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { SessionTransfer } from '../../session/session-transfers.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly } from '../http/answering.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import type { ClientRouter, ClientState } from '../http/client-state.js';
import { readRequestBody } from '../http/request-body.js';
import { isCrossSite, isForeignSubmit } from '../http/request-origin.js';
import type { SessionPath } from '../http/request-path.js';
import { senderAddress } from '../http/request-sender.js';
import { dynamicHeaders, fileDisposition } from '../http/response-headers.js';
import { sessionReference } from '../sessions/session-reference.js';
import { asPrivate, privateJson } from '../sessions/session-rendering.js';
import { findSession } from '../sessions/session-router.js';
import { siteOf } from '../sessions/session-site.js';
import { fileRuleOf } from './file-rule.js';
import { readTransferQuery, type TransferWish } from './transfer-query.js';

const FILE_TYPE = 'application/octet-stream';

/** Of a session, by its code. */
export const fileMethods = ['GET', 'POST', 'DELETE'] as const;

interface FileRequest {
  readonly site: ClientSite;
  readonly request: ClientRequest<SessionPath>;
  readonly session: BrowserSession;
  readonly mostBytes: number;
}

/** `/<prefix>/<name>++TransferSvcSession=<code>`: files between a client and the host of its session. */
export function fileRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  router.all(
    /^[^+]*\+\+/,
    answeringOnly('session', (request) => answerFiles(site, request)),
  );
  return router;
}

/**
 * Answers what is on its way (GET), cancels it (DELETE), and sends or receives a file (POST).
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_SESSION_UNKNOWN, SVC_ERR_TRANSFER_*,
 *   SVC_ERR_REQUEST_PARAMETERS, SVC_ERR_REQUEST_BODY_*, SVC_ERR_AUDIT_UNAVAILABLE
 */
async function answerFiles(siteOfLine: ClientSite, request: ClientRequest<SessionPath>): Promise<Answer | undefined> {
  const { incoming, path } = request;
  const reference = sessionReference(path.session);
  if (reference.by !== 'code' || reference.wish !== 'transfer') return undefined;
  const method = fileMethods.find((one) => one === incoming.method);
  if (method === undefined) {
    throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: fileMethods.join(', ') } });
  }
  if (isCrossSite(incoming) || (method !== 'GET' && isForeignSubmit(incoming)))
    throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
  const { session } = findSession(siteOfLine, path, incoming);
  if (session === undefined || !session.isOpen) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
  const site = siteOf(session) ?? siteOfLine;
  const rule = await fileRuleOf(site, session);
  if (rule === undefined) throw new ServiceError('SVC_ERR_TRANSFER_OFF');
  session.seen();
  const { transfers } = site.sessions;
  if (method === 'GET') return stateAnswer(transfers.of(session), rule.mostBytes);
  if (method === 'DELETE') {
    transfers.of(session)?.stop.abort();
    return nothing();
  }
  const wish = readTransferQuery(request.parameters);
  const { mostBytes } = rule;
  return transfers.during(session, wish.options, (transfer) =>
    transferred({ site, request, session, mostBytes }, wish, transfer),
  );
}

function stateAnswer(transfer: SessionTransfer | undefined, mostBytes: number): Answer {
  if (transfer === undefined) return privateJson(200, { mostBytes });
  const { direction, hostFile: file, bytes, total } = transfer;
  return privateJson(200, { mostBytes, transfer: { direction, file, bytes, total } });
}

/** That it is about to happen is on record before the host is told. */
async function transferred(
  { site, request, session, mostBytes }: FileRequest,
  { options, remap, bufferBytes }: TransferWish,
  transfer: SessionTransfer,
): Promise<Answer> {
  const sends = options.direction === 'send';
  const cancel = () => transfer.stop.abort();
  if (request.signal.aborted) cancel();
  request.signal.addEventListener('abort', cancel);
  const file = sends ? await sentFile(request, mostBytes, transfer) : undefined;
  transfer.total = file?.length;
  const { user, application: host } = session.facts;
  const entry: AuditEntry = {
    who: user === '' ? NOBODY_SIGNED_ON : user,
    from: senderAddress(request.incoming),
    what: sends ? 'file.sent' : 'file.received',
    subject: `host ${host}`,
    after: { file: options.hostFile, bytes: file?.length },
  };
  return site.audit.record(entry, async () => {
    const received = await carriedOut(session, { ...options, file, mostBytes, remap, bufferBytes }, transfer);
    return received === undefined ? privateJson(200, { bytes: transfer.bytes }) : fileAnswer(options, received);
  });
}

async function sentFile({ incoming }: ClientRequest, mostBytes: number, { stop }: SessionTransfer): Promise<Buffer> {
  if (mediaTypeOf(incoming.headers['content-type']) !== FILE_TYPE) {
    throw new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: `${FILE_TYPE} is taken.` });
  }
  return readRequestBody(incoming, mostBytes, {
    signal: stop,
    error: () => new ServiceError('SVC_ERR_TRANSFER_CANCELLED'),
  });
}

/** @returns what was received; undefined: it was sent */
async function carriedOut(
  session: BrowserSession,
  wanted: FileTransfer,
  transfer: SessionTransfer,
): Promise<Uint8Array | undefined> {
  if (transfer.stop.aborted) throw new ServiceError('SVC_ERR_TRANSFER_CANCELLED');
  const done = session.beginTransfer();
  if (done === undefined) throw new ServiceError('SVC_ERR_TRANSFER_FAILED', { detail: 'The host has the keyboard.' });
  try {
    const end = await session.conversation.transferFile({
      ...wanted,
      signal: transfer.stop,
      progress: (bytes) => {
        transfer.bytes = bytes;
        session.seen();
      },
    });
    if (end.kind === 'failed' && end.reason === 'cancelled') throw new ServiceError('SVC_ERR_TRANSFER_CANCELLED');
    if (end.kind === 'failed') throw new ServiceError('SVC_ERR_TRANSFER_FAILED', { detail: asSentence(end.words) });
    transfer.bytes = end.bytes;
    return wanted.direction === 'send' ? undefined : (end.file ?? new Uint8Array());
  } finally {
    done();
  }
}

function fileAnswer({ hostFile }: TransferOptions, file: Uint8Array): Answer {
  const body = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const headers = dynamicHeaders(FILE_TYPE, body.length, '0');
  headers.push('Content-Disposition', fileDisposition('attachment', hostFile.replaceAll("'", '')));
  return asPrivate({ status: 200, headers, body });
}

function nothing(): Answer {
  return asPrivate({ status: 204, headers: dynamicHeaders('text/plain', 0, '0'), body: Buffer.alloc(0) });
}
