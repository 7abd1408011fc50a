import Router from '@koa/router';
import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import { mediaTypeOf } from '../../lib/text/media-type.js';
import { unknownName } from '../../lib/text/nearest-name.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { transferRefusal } from '../../sessions/guarded-session.js';
import type { SessionTransfer } from '../../sessions/session-transfers.js';
import {
  LEAST_BUFFER_BYTES,
  MOST_BUFFER_BYTES,
  recordFormats,
  spaceUnits,
  type TransferOptions,
  transferCommand,
  transferHosts,
} from '../../tn3270/file-transfer/transfer-options.js';
import type { Answer } from '../http/answer.js';
import { answeringOnly, type ClientRequest, type ClientRouter, type ClientState } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { readRequestBody } from '../http/request-body.js';
import { isCrossSite, isForeignSubmit } from '../http/request-origin.js';
import { parameterNamed } from '../http/request-parameters.js';
import type { SessionPath } from '../http/request-path.js';
import { senderAddress } from '../http/request-sender.js';
import { dynamicHeaders, fileDisposition } from '../http/response-headers.js';
import { sessionReference } from '../sessions/session-cookie.js';
import { siteOf } from '../sessions/session-opening.js';
import { findSession } from '../sessions/session-page-router.js';
import { asPrivate, privateJson } from '../sessions/session-rendering.js';

const FILE_TYPE = 'application/octet-stream';

export const fileMethods = ['GET', 'POST', 'DELETE'] as const;

/** `/<prefix>/<name>++TransferSvcSession=<code>`: file transfer between a client and its session's host. */
export function fileRouter(site: ClientSite): ClientRouter {
  const router: ClientRouter = new Router<ClientState>();
  router.all(
    /^[^+]*\+\+/,
    answeringOnly('session', (request) => answerFiles(site, request)),
  );
  return router;
}

/**
 * Answers the state of the transfer (GET), cancels it (DELETE), and sends or receives a file (POST).
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_ORIGIN, SVC_ERR_SESSION_UNKNOWN, SVC_ERR_TRANSFER_*,
 * SVC_ERR_REQUEST_PARAMETERS, SVC_ERR_REQUEST_BODY_*, SVC_ERR_AUDIT_UNAVAILABLE
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
  const rule = await session.guarded.transferRule();
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

async function transferred(
  session: BrowserSession,
  request: ClientRequest<SessionPath>,
  { options, remap, bufferBytes }: TransferWish,
): Promise<Answer> {
  const { incoming, signal } = request;
  const sends = options.direction === 'send';
  const end = await session.guarded.transfer({
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
    throw new ServiceError('SVC_ERR_REQUEST_BODY_TYPE', { detail: { code: 'body.type', values: { type: FILE_TYPE } } });
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

const names = [
  'direction',
  'file',
  'host',
  'mode',
  'lines',
  'remap',
  'append',
  'recordFormat',
  'recordLength',
  'blockSize',
  'primarySpace',
  'secondarySpace',
  'spaceUnit',
  'averageBlock',
  'otherOptions',
  'bufferSize',
] as const;
type ParameterName = (typeof names)[number];

interface TransferWish {
  readonly options: TransferOptions;
  /** True translates text as UTF-8; false uses the translation of IND$FILE. */
  readonly remap: boolean;
  readonly bufferBytes: number | undefined;
}

function readTransferQuery(parameters: ReadonlyMap<string, readonly string[]>): TransferWish {
  for (const given of parameters.keys()) {
    if (names.some((name) => name.toUpperCase() === given.toUpperCase())) continue;
    throw transferRefused(unknownName('parameter.unknown', given.slice(0, 64), names));
  }
  const given = (name: ParameterName) => parameterNamed(parameters, name);
  const choice = <T extends string>(name: ParameterName, choices: readonly T[]): T | undefined => {
    const value = given(name);
    const found = choices.find((one) => one === value);
    if (value === undefined || found !== undefined) return found;
    throw transferRefused({ code: 'parameter.oneOf', values: { name, choices: choices.join(', ') } });
  };
  const isSet = (name: ParameterName, usual: 'yes' | 'no') => (choice(name, ['yes', 'no']) ?? usual) === 'yes';
  const number = (name: ParameterName): number | undefined => {
    const value = given(name);
    if (value === undefined || /^\d{1,9}$/.test(value)) return value === undefined ? undefined : Number(value);
    throw transferRefused({ code: 'parameter.number', values: { name } });
  };
  const direction = choice('direction', ['send', 'receive']);
  if (direction === undefined)
    throw transferRefused({ code: 'parameter.oneOf', values: { name: 'direction', choices: 'send, receive' } });
  const text = (choice('mode', ['text', 'binary']) ?? 'text') === 'text';
  const bufferBytes = number('bufferSize');
  if (bufferBytes !== undefined && (bufferBytes < LEAST_BUFFER_BYTES || bufferBytes > MOST_BUFFER_BYTES)) {
    const values = { name: 'bufferSize', least: LEAST_BUFFER_BYTES, most: MOST_BUFFER_BYTES };
    throw transferRefused({ code: 'parameter.range', values });
  }
  const options: TransferOptions = {
    direction,
    host: choice('host', transferHosts) ?? 'tso',
    hostFile: given('file') ?? '',
    text,
    lines: text && isSet('lines', 'yes'),
    append: isSet('append', 'no') && direction === 'send',
    recordFormat: choice('recordFormat', recordFormats),
    recordLength: number('recordLength'),
    blockSize: number('blockSize'),
    space: readSpace(number, choice('spaceUnit', spaceUnits)),
    otherOptions: given('otherOptions'),
  };
  const command = transferCommand(options);
  if (command.kind === 'fault') throw transferRefused(command.reason);
  return { options, remap: isSet('remap', 'yes'), bufferBytes };
}

function readSpace(
  number: (name: ParameterName) => number | undefined,
  unit: (typeof spaceUnits)[number] | undefined,
): TransferOptions['space'] {
  const [primary, secondary, averageBlock] = [number('primarySpace'), number('secondarySpace'), number('averageBlock')];
  if (primary !== undefined) return { unit, primary, secondary, averageBlock };
  if ((secondary ?? averageBlock ?? unit) === undefined) return undefined;
  throw transferRefused({ code: 'parameter.space' });
}

function transferRefused(detail: Reason): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail });
}
