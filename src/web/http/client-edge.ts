import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, ServiceError } from '../../lib/errors.js';
import type { Language } from '../../lib/locale.js';
import type { Log } from '../../lib/log/log.js';
import { isSecretName } from '../../lib/secrets/secret-text.js';
import { writeLastAnswer } from '../../lines/listener/refusal.js';
import { TrustedProxies } from '../../lines/listener/trusted-proxies.js';
import { languageOf } from '../words/page-words.js';
import { type Answer, sentBytes, writeAnswer } from './answer.js';
import { type ArrivedMiddleware, nextRequestId, type ServiceCallFacts } from './client-request.js';
import { type ClientSite, defaultPageName } from './client-site.js';
import { errorAnswer, serviceErrorOf } from './error-response.js';
import { ExchangeTrace } from './exchange-trace.js';
import { type RequestPath, receivedQuery } from './request-path.js';
import { isOverTls, noteSender, senderAddress } from './request-sender.js';
import type { CompleteHeaders } from './response-headers.js';

type ArrivedContext = Parameters<ArrivedMiddleware>[0];

interface AnsweredRequest {
  readonly answer: Answer;
  readonly error: ServiceError | undefined;
}

/** Logged status if the client disconnects before its answer (as in nginx). */
const ABANDONED_STATUS = 499;

/**
 * The outermost middleware of a line: assigns the request ID, converts errors to answers, writes the answer with the
 * line's headers and logs it. koa writes nothing (docs/develop/decisions/0014).
 */
export function clientEdge(site: ClientSite, completeHeaders: CompleteHeaders): ArrivedMiddleware {
  const proxies = new TrustedProxies(site.line.trustedProxies);
  const slowMilliseconds = site.line.limits.requestSeconds * 1_000;

  const headersOf = ({ req, state }: ArrivedContext, { headers, isComplete }: Answer) =>
    isComplete ? [...headers] : completeHeaders(headers, state.requestId, isOverTls(req));

  /** If the headers are invalid, writes an internal error instead. @returns the written answer */
  const write = (context: ArrivedContext, outcome: AnsweredRequest): AnsweredRequest => {
    const { req, res, state } = context;
    const { answer } = outcome;
    const headers = headersOf(context, answer);
    try {
      if (!req.complete && endsConnection(answer, res)) writeLastAnswer(req, res, { ...answer, headers });
      else writeAnswer(res, answer, headers, slowMilliseconds);
      return outcome;
    } catch (error) {
      const apology = failure(error, req, state, languageOf(req));
      writeAnswer(res, apology.answer, headersOf(context, apology.answer), slowMilliseconds);
      return apology;
    }
  };

  return async (context, next) => {
    const arrival = performance.now();
    context.respond = false;
    const { req, res, state } = context;
    // requestReader shortens an absolute URL later
    const query = receivedQuery(req.url ?? '');
    noteSender(req, proxies);
    state.requestId = nextRequestId();
    const sink = site.tracing.sinks.sinkOf(site.line.name);
    const trace = sink === undefined ? undefined : new ExchangeTrace(sink, site.tracing, req, state.requestId);
    let outcome: AnsweredRequest;
    try {
      await next();
      if (state.answer === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
      outcome = { answer: state.answer, error: state.answer.refusal };
    } catch (thrown) {
      outcome = failure(thrown, req, state, languageOf(req));
    }
    const isAbandoned = res.destroyed || !req.socket.writable;
    const { whenLost } = outcome.answer;
    if (whenLost !== undefined) watchDelivery(req, res, isAbandoned, whenLost);
    const written = isAbandoned ? outcome : write(context, outcome);
    if (isAbandoned) trace?.abandoned();
    else trace?.answered({ ...written.answer, headers: headersOf(context, written.answer) });
    logOutcome(site, context, written, { query, isAbandoned, milliseconds: performance.now() - arrival });
  };
}

function endsConnection({ status, stream }: Answer, { shouldKeepAlive }: ServerResponse): boolean {
  return status >= 400 || (!shouldKeepAlive && stream === undefined);
}

function failure(
  thrown: unknown,
  { headers }: IncomingMessage,
  { requestId, errorAnswer: otherwise }: ArrivedContext['state'],
  language: Language,
): AnsweredRequest {
  const error = serviceErrorOf(thrown);
  const answer = otherwise?.(error, requestId) ?? errorAnswer(error, headers.accept, requestId, language);
  return { answer, error };
}

function logOutcome(
  site: ClientSite,
  { req, state: { path, requestId, serviceCall } }: ArrivedContext,
  { answer, error }: AnsweredRequest,
  {
    query,
    isAbandoned,
    milliseconds,
  }: { readonly query: string; readonly isAbandoned: boolean; readonly milliseconds: number },
): void {
  const status = isAbandoned ? ABANDONED_STATUS : answer.status;
  const kind = serviceCall === undefined ? (path?.kind ?? 'refused') : 'service';
  site.metrics.requestAnswered(site.line.name, kind, status, milliseconds / 1_000);
  logRequest(site.log, {
    line: site.line.name,
    port: req.socket.localPort,
    template: path === undefined ? undefined : loggedPage(path, defaultPageName(site)),
    transaction: path?.kind === 'transaction' ? path.transaction : undefined,
    query,
    status,
    bytes: isAbandoned ? 0 : sentBytes(answer, req.method),
    milliseconds: Math.round(milliseconds * 10) / 10,
    requestId,
    remoteAddress: senderAddress(req),
    method: req.method,
    abandoned: isAbandoned,
    code: isAbandoned ? undefined : error?.code,
    error,
    serviceCall,
  });
}

/**
 * Calls `whenLost` if the client disconnects before the whole answer is written. Node marks a response as finished even
 * if the connection rejected its last bytes, so the socket's error is checked too.
 * @param isAbandoned true if the client disconnected before anything was written
 */
function watchDelivery(
  { socket }: IncomingMessage,
  response: ServerResponse,
  isAbandoned: boolean,
  whenLost: () => void,
): void {
  if (isAbandoned) {
    whenLost();
    return;
  }
  const over = () => {
    // a pipelined response gets no event when the connection closes
    socket.off('close', over);
    response.off('close', over);
    if (!response.writableFinished || socket.errored !== null) whenLost();
  };
  socket.once('close', over);
  response.once('close', over);
}

/** Log fields of a request, in this order (specification 2.1, contract). */
interface RequestLogEntry {
  readonly line: string;
  readonly port: number | undefined;
  readonly template: string | undefined;
  readonly transaction: string | undefined;
  readonly query: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly remoteAddress: string | undefined;
  readonly method: string | undefined;
  readonly abandoned: boolean;
  readonly code: ErrorCode | undefined;
  readonly error: unknown;
  readonly serviceCall: ServiceCallFacts | undefined;
}

const LONGEST_VALUE = 200;
const MOST_SHOWN_VALUES = 50;

/** Session handles of the API are secret and are masked at any depth. */
function loggedPage({ directories, page }: RequestPath, defaultPage: string): string {
  const [api, version, sessions] = directories.map((name) => name.toLowerCase());
  if (api === 'api' && version === 'v1' && sessions === 'sessions') return directories.length > 3 ? page : '***';
  return page || defaultPage;
}

/** Logs one record per request: at level info, or error with the stack for server faults (5xx). */
function logRequest(log: Log, entry: RequestLogEntry): void {
  const fields: Record<string, unknown> = {
    line: entry.line,
    port: entry.port,
    template: entry.template,
    transaction: entry.transaction,
    parameters: shownParameters(entry.query),
    status: entry.status,
    bytes: entry.bytes,
    milliseconds: entry.milliseconds,
    requestId: entry.requestId,
    remoteAddress: entry.remoteAddress,
    method: entry.method,
    ...entry.serviceCall,
  };
  if (entry.abandoned) fields.abandoned = true;
  if (entry.code !== undefined) fields.code = entry.code;
  if (entry.status < 500) {
    log.info(fields, 'request');
    return;
  }
  fields.err = entry.error;
  log.error(fields, 'request');
}

/**
 * The decoded parameters of a query: `FROMCURRENCY=EUR&TOCURRENCY=USD`. Delimiters within a name or value stay
 * percent-encoded, so a value cannot look like two. Text that cannot be decoded stays as received. Secret values are
 * `***`; long values and long lists are truncated.
 */
function shownParameters(query: string): string {
  let shown = '';
  let count = 0;
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = query.indexOf('&', start);
    if (end < 0) end = query.length;
    if (end === start) continue;
    if (count === MOST_SHOWN_VALUES) return `${shown}&…`;
    if (count > 0) shown += '&';
    shown += shownPair(query.slice(start, end));
    count += 1;
  }
  return shown;
}

function shownPair(pair: string): string {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const value = equals < 0 ? '' : pair.slice(equals + 1);
  return `${shownText(name, /[%&=]/g)}=${isSecret(name) ? '***' : shownText(value, /[%&]/g)}`;
}

function isSecret(name: string): boolean {
  if (!isEncoded(name)) return isSecretName(name);
  return isSecretName(bytesDecoded(name)) || isSecretName(decoded(name) ?? name);
}

function shownText(encoded: string, delimiters: RegExp): string {
  const text = isEncoded(encoded) ? decoded(encoded) : undefined;
  return text === undefined ? cut(encoded) : cut(text).replace(delimiters, encodeURIComponent);
}

function isEncoded(text: string): boolean {
  return text.includes('%') || text.includes('+');
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Decodes each escape to one character, to recognize secret names that are not UTF-8. */
function bytesDecoded(encoded: string): string {
  return encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
