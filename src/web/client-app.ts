import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { ServiceError } from '../errors.js';
import type { LineRequestListener } from '../line/inbound-line.js';
import { StopSource } from '../stop-signal.js';
import { type Answer, sentBytes, writeAnswer, writeAnswerAndClose } from './answer.js';
import type { ClientRequest } from './client-request.js';
import { type ClientSite, defaultPageName } from './client-site.js';
import { errorAnswer, serviceErrorOf } from './error-response.js';
import { answerPage } from './page-router.js';
import { answerProduct } from './product-routes.js';
import { hasBody, readRequestBody } from './request-body.js';
import { checkRequestHost } from './request-host.js';
import { nextRequestId } from './request-id.js';
import { checkRequestLimits } from './request-limits.js';
import { logRequest } from './request-log.js';
import { clientAddress } from './request-names.js';
import { parseRequestParameters } from './request-parameters.js';
import { parseRequestPath, type RequestPath, splitRequestTarget } from './request-path.js';
import type { AnswerIdentity } from './response-headers.js';
import { answerTransaction } from './scenario-router.js';
import { answerSession } from './session-router.js';

/** In the log, for a client that went away before its answer (the word nginx made common). */
const ABANDONED_STATUS = 499;

/** One request from its arrival to its log line. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly identity: AnswerIdentity;
  readonly arrival: number;
  path: RequestPath | undefined;
  parameters: ReadonlyMap<string, readonly string[]> | undefined;
  error: ServiceError | undefined;
}

/**
 * The application of a client line: scenario requests and pages, every error answered at this one edge. A scenario
 * request passes by koa, which would do nothing for it and takes a tenth of its time.
 */
export function createClientApp(site: ClientSite): LineRequestListener {
  const serve = exchangeServer(site);
  const app = new Koa();
  app.use((context) => {
    // answers are written in one place, with the header spelling of the specification
    context.respond = false;
    return serve(context.req, context.res);
  });
  app.on('error', (error: Error) => site.log.debug({ line: site.line.name, err: error }, 'connection broke'));
  const throughKoa = app.callback();
  return (request, response) =>
    isTransaction(request.url ?? '') ? serve(request, response) : throughKoa(request, response);
}

/** Whether the path names a transaction: `/page+transaction`, and not `/page++session`. */
function isTransaction(target: string): boolean {
  const plus = target.indexOf('+');
  return plus > 0 && target.charAt(plus + 1) !== '+' && !target.slice(0, plus).includes('?');
}

function exchangeServer(site: ClientSite): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const server = serverHeader(site.version);
  const hstsSeconds = site.line.tls?.hstsSeconds;
  const slowMilliseconds = site.line.limits.requestSeconds * 1_000;
  return async (request, response) => {
    const exchange: Exchange = {
      request,
      response,
      identity: { server, requestId: nextRequestId(), hstsSeconds },
      arrival: performance.now(),
      path: undefined,
      parameters: undefined,
      error: undefined,
    };
    let answer: Answer;
    try {
      answer = await route(site, exchange);
    } catch (error) {
      answer = failed(exchange, error);
    }
    const abandoned = response.destroyed || !request.socket.writable;
    if (answer.whenLost !== undefined) watchDelivery(exchange, abandoned, answer.whenLost);
    const written = abandoned ? answer : write(exchange, answer, slowMilliseconds);
    log(site, exchange, written, abandoned);
  };
}

/** Value of the Server header (specification 9.1). */
export function serverHeader(version: string): string {
  return `Sallyport/${version}`;
}

/** The answer of whoever the path leads to. Everything that is thrown or rejected is an error to be answered. */
function route(site: ClientSite, exchange: Exchange): Promise<Answer> {
  const { request, response, identity } = exchange;
  checkRequestLimits(request, site.line.limits);
  checkRequestHost(request, site.line.hostNames);
  const target = splitRequestTarget(request.url ?? '');
  const path = parseRequestPath(target.path);
  exchange.path = path;
  const parameters = parseRequestParameters(target.query);
  exchange.parameters = parameters;
  const { requestId: id } = identity;
  const received = { id, incoming: request, target, parameters, body: undefined, path, signal: neverAborted };
  const own = answerProduct(site, received, identity);
  if (own !== undefined) return own;
  const answer = (body: Buffer | undefined): Promise<Answer> => {
    switch (path.kind) {
      case 'transaction':
        return answerTransaction(site, { ...received, body, path, signal: goneSignal(response) }, identity);
      case 'page':
        return answerPage(site, { ...received, body, path }, identity);
      case 'session':
        return answerSession(site, { ...received, body, path }, identity);
    }
  };
  return hasBody(request) ? readRequestBody(request, site.line.limits.bodyBytes).then(answer) : answer(undefined);
}

const neverAborted: ClientRequest['signal'] = new StopSource();

/** Aborted when the connection closes before the response is written. */
function goneSignal(response: ServerResponse): ClientRequest['signal'] {
  const stop = new StopSource();
  response.once('close', () => {
    if (!response.writableFinished) stop.abort();
  });
  return stop;
}

/** Node takes a response for finished whose last bytes the connection refused: only the connection knows of it. */
function watchDelivery({ request, response }: Exchange, abandoned: boolean, whenLost: () => void): void {
  if (abandoned) {
    whenLost();
    return;
  }
  const { socket } = request;
  const over = () => {
    // a response that waited behind another one is not told that the connection has closed
    socket.off('close', over);
    response.off('close', over);
    if (!response.writableFinished || socket.errored !== null) whenLost();
  };
  socket.once('close', over);
  response.once('close', over);
}

function failed(exchange: Exchange, thrown: unknown): Answer {
  const error = serviceErrorOf(thrown);
  exchange.error = error;
  return errorAnswer(error, exchange.request.headers.accept, exchange.identity);
}

/** Writes the answer; one whose headers cannot be sent becomes our fault. Gives what was written. */
function write(exchange: Exchange, answer: Answer, slowMilliseconds: number): Answer {
  const { request, response } = exchange;
  // an upload is refused by an answer of its page
  if (!request.complete && answer.status >= 400) {
    writeAnswerAndClose(request, response, answer);
    return answer;
  }
  try {
    writeAnswer(response, answer, slowMilliseconds);
    return answer;
  } catch (error) {
    const apology = failed(exchange, error);
    writeAnswer(response, apology, slowMilliseconds);
    return apology;
  }
}

function log(site: ClientSite, exchange: Exchange, answer: Answer, abandoned: boolean): void {
  const { request, path, error } = exchange;
  logRequest(site.log, {
    line: site.line.name,
    port: request.socket.localPort,
    template: path === undefined ? undefined : path.page || defaultPageName(site),
    transaction: path?.kind === 'transaction' ? path.transaction : undefined,
    parameters: exchange.parameters,
    status: abandoned ? ABANDONED_STATUS : answer.status,
    bytes: abandoned ? 0 : sentBytes(answer, request.method),
    milliseconds: Math.round((performance.now() - exchange.arrival) * 10) / 10,
    requestId: exchange.identity.requestId,
    remoteAddress: clientAddress(request.socket.remoteAddress),
    method: request.method,
    abandoned,
    code: abandoned ? undefined : error?.code,
    error,
  });
}
