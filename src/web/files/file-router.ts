import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { transferRefusal } from '../../sessions/session-door.js';
import type { SessionTransfer } from '../../sessions/session-transfers.js';
import type { TransferOptions } from '../../tn3270/file-transfer/transfer-options.js';
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
import { readTransferQuery, type TransferWish } from './transfer-query.js';

const FILE_TYPE = 'application/octet-stream';

/** Of a session, by its code. */
export const fileMethods = ['GET', 'POST', 'DELETE'] as const;

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
  const rule = await session.door.transferRule();
  if (rule === undefined) throw new ServiceError('SVC_ERR_TRANSFER_OFF');
  session.seen();
  const { transfers } = site.sessions;
  if (method === 'GET') return stateAnswer(transfers.of(session), rule.mostBytes);
  if (method === 'DELETE') {
    transfers.of(session)?.stop.abort();
    return nothing();
  }
  return transferred(session, request, readTransferQuery(request.parameters));
}

function stateAnswer(transfer: SessionTransfer | undefined, mostBytes: number): Answer {
  if (transfer === undefined) return privateJson(200, { mostBytes });
  const { direction, hostFile: file, bytes, total } = transfer;
  return privateJson(200, { mostBytes, transfer: { direction, file, bytes, total } });
}

/** @throws ServiceError SVC_ERR_TRANSFER_* and SVC_ERR_AUDIT_UNAVAILABLE of the door, SVC_ERR_REQUEST_BODY_* */
async function transferred(
  session: BrowserSession,
  request: ClientRequest<SessionPath>,
  { options, remap, bufferBytes }: TransferWish,
): Promise<Answer> {
  const { incoming, signal } = request;
  const sends = options.direction === 'send';
  const end = await session.door.transfer({
    ...options,
    remap,
    bufferBytes,
    from: senderAddress(incoming),
    signal,
    ...(sends ? { content: (mostBytes, stop) => sentFile(request, mostBytes, stop) } : {}),
  });
  if (end.kind === 'failed') throw transferRefusal(end);
  return sends ? privateJson(200, { bytes: end.bytes }) : fileAnswer(options, end.file ?? new Uint8Array());
}

async function sentFile({ incoming }: ClientRequest, mostBytes: number, signal: StopSignal): Promise<Uint8Array> {
  if (mediaTypeOf(incoming.headers['content-type']) !== FILE_TYPE) {
    throw new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: `${FILE_TYPE} is taken.` });
  }
  return readRequestBody(incoming, mostBytes, {
    signal,
    error: () => new ServiceError('SVC_ERR_TRANSFER_CANCELLED'),
  });
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
