import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import type { UpgradeAnswer } from '../../cluster/nodes/node-line.js';
import { framingOf, passedHeaders } from '../../cluster/nodes/passed-headers.js';
import { ServiceError } from '../../lib/errors.js';
import { isNodeCode, nodeOfPrefix } from '../../lib/network/node-code.js';
import { endWithAnswer, reasonPhrase } from '../../lines/listener/refusal.js';
import { nodeOfIdentifier } from '../../operation/live-session.js';
import { nodeOfCode } from '../../sessions/session-code.js';
import type { Answer } from '../http/answer.js';
import type { ClientMiddleware, ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { serviceErrorOf } from '../http/error-response.js';
import type { SessionPath } from '../http/request-path.js';
import { arrivalOf, carriedOf, repeatedBy } from '../http/request-sender.js';
import { cookieName, strictCookie, withdrawnCookie } from '../http/strict-cookie.js';
import { sessionCookieLabels, sessionReference } from '../sessions/session-cookie.js';

/** Sallyport's own error pages are shorter. */
const LARGEST_REFUSAL_BYTES = 65_536;

/**
 * Passes requests for sessions of other nodes to those nodes. If this node drains, passes requests for a new session to
 * any other node.
 */
export function passingOn(site: ClientSite, nodes: NonNullable<ClientSite['nodes']>): ClientMiddleware {
  return async ({ state, req, res }, next) => {
    const own = site.sessions.node;
    const passTo = async (node: string, body?: Buffer) => {
      const options = { whenGone: goneFrom(res), body };
      const passed = await nodes.pass(node, req, carriedOf(req, site.line.name), arrivalOf(req), options);
      // same request ID in the logs of both nodes
      state.requestId = String(passed.headers['x-request-id'] ?? state.requestId);
      state.answer = await answerOf(passed, req.method, site.line.limits.requestSeconds * 1_000);
    };
    const isPassed = (to: string) =>
      passTo(to).then(
        () => true,
        (error: unknown) => {
          if (!isGone(error) || !mayBeAnsweredHere(req)) throw error;
          return false;
        },
      );
    const named = own === undefined ? undefined : nodeOfRequest(state.request, own, site.portal !== undefined);
    const node = repeatedBy(req) ?? named;
    if (node !== undefined && node !== own) {
      return passTo(node).catch((error: unknown) => {
        throw isForServer(state.request) ? ofServer(error) : error;
      });
    }
    const chosen = site.portal === undefined || node !== undefined ? undefined : chosenServer(req);
    if (chosen !== undefined && chosen !== own && arrivalOf(req) !== 'unix') {
      if (await isPassed(chosen)) return;
      await next();
      const { answer } = state;
      if (answer !== undefined) {
        state.answer = { ...answer, headers: [...answer.headers, 'Set-Cookie', withdrawnChoice(req)] };
      }
      return;
    }
    try {
      await next();
    } catch (error) {
      if (error instanceof OtherNodeError) return passTo(error.node, error.body);
      if (!mayBeginElsewhere(error, req)) throw error;
      const tried = new Set<string>();
      for (;;) {
        const other = nodes.anyForNewSession(tried);
        if (other === undefined) throw error;
        tried.add(other);
        if (await isPassed(other)) return;
      }
    }
  };
}

function isGone(error: unknown): boolean {
  return (
    error instanceof ServiceError && (error.code === 'SVC_ERR_NODE_GONE' || error.code === 'SVC_ERR_NODE_UNREACHABLE')
  );
}

/** A request for a node itself must not report that a session is gone. */
function ofServer(error: unknown): unknown {
  const isOfSession = error instanceof ServiceError && error.code === 'SVC_ERR_NODE_GONE';
  return isOfSession ? new ServiceError('SVC_ERR_NODE_UNKNOWN', { cause: error }) : error;
}

/** True if nothing of the request has been sent to another node. */
function mayBeAnsweredHere({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** True if the body is unread and the request does not come from another draining node. */
function mayBeginElsewhere(error: unknown, request: IncomingMessage): boolean {
  const isDrained = error instanceof ServiceError && error.code === 'SVC_ERR_LINE_DRAINED';
  return isDrained && request.method === 'GET' && arrivalOf(request) === 'client';
}

function goneFrom(response: ServerResponse): (leave: () => void) => void {
  return (leave) => response.once('close', () => response.writableFinished || leave());
}

async function answerOf(passed: IncomingMessage, method = '', slowMilliseconds: number): Promise<Answer> {
  const status = passed.statusCode ?? 502;
  const framing = framingOf(passed.headers);
  // Node adds chunked framing itself; a 204 has no Content-Length
  const framed = framing === 'chunked' || status === 204 ? 'none' : framing;
  const answer = { status, headers: passedHeaders(passed, framed), body: Buffer.alloc(0), isComplete: true };
  if (method === 'HEAD' || status === 204 || status === 304) {
    passed.resume();
    return answer;
  }
  // read completely, because the edge may have to close the connection after the answer
  if (status >= 400) {
    const body = await refusalOf(passed);
    return { ...answer, headers: passedHeaders(passed, body.length), body };
  }
  return {
    ...answer,
    stream: (response) => {
      response.setTimeout(slowMilliseconds, () => {
        if (response.writableLength > 0) response.destroy();
      });
      pipeline(passed, response, () => {});
    },
  };
}

export async function refusalOf(passed: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of passed as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > LARGEST_REFUSAL_BYTES) throw new Error('its answer is too long');
      pieces.push(piece);
    }
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : 'its answer was cut off';
    throw new ServiceError('SVC_ERR_NODE_UNREACHABLE', { detail, cause });
  }
  return Buffer.concat(pieces);
}

const FIRST_DIRECTORY = /^\/([^/+]+)\//;

const PROGRAMS = ['api', 'v1'];
const PROGRAMS_OF_OPERATORS = ['api', 'admin', 'v1'];
const OPERATED: readonly string[] = ['sessions', 'traces', 'nodes'];
const EVENTS = 'console/events';
const WATCHED = /^screen:(.*)$/;

/** The node that must answer a request; undefined if any node can. @param own code of this node */
function nodeOfRequest(request: ClientRequest, own: string, isPortal: boolean): string | undefined {
  const { path, target, incoming } = request;
  if (isPortal) return operatedNode(request);
  if (path.kind === 'session') return nodeOfSession(path, incoming, own);
  const [collection, handle] = namesBehind(PROGRAMS, namesOf(request)) ?? [];
  if (collection === 'sessions' && handle !== undefined) return nodeOfCode(handle);
  // pages are the same on every node; a submit to a prefix is for a session of that node
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
  return isRead ? undefined : nodeOfPrefix(FIRST_DIRECTORY.exec(target.path)?.[1] ?? '');
}

function isForServer(request: ClientRequest): boolean {
  return operated(request).collection === 'nodes';
}

function operatedNode(request: ClientRequest): string | undefined {
  const { parameters, incoming } = request;
  const { collection, name } = operated(request);
  // any node can show the state of another node
  if (collection === 'nodes') return incoming.method === 'POST' && isNodeCode(name) ? name : undefined;
  const watched = (parameters.get('topic') ?? []).flatMap((topic) => WATCHED.exec(topic)?.[1] ?? []);
  return nodeOfIdentifier(name) ?? nodeOfIdentifier(watched[0] ?? '') ?? nodeOfPage(request);
}

function operated(request: ClientRequest): { readonly collection: string; readonly name: string } {
  const names = namesOf(request);
  const [collection = '', name = ''] = namesBehind(PROGRAMS_OF_OPERATORS, names) ?? names;
  return OPERATED.includes(collection.toLowerCase())
    ? { collection: collection.toLowerCase(), name }
    : { collection: '', name: '' };
}

/** The server that rendered a page also sends its updates. */
function nodeOfPage(request: ClientRequest): string | undefined {
  const isOfPage = namesOf(request).join('/').toLowerCase() === EVENTS;
  const [server = ''] = (isOfPage && request.parameters.get('server')) || [];
  return isNodeCode(server) ? server : undefined;
}

function namesOf({ path }: ClientRequest): readonly string[] {
  return [...path.directories, path.page];
}

function namesBehind(root: readonly string[], names: readonly string[]): readonly string[] | undefined {
  return root.every((name, at) => names[at]?.toLowerCase() === name) ? names.slice(root.length) : undefined;
}

export function nodeOfSession({ session }: SessionPath, incoming: IncomingMessage, own: string): string | undefined {
  const reference = sessionReference(session);
  if (reference.by === 'code') return nodeOfCode(reference.code);
  if (reference.label !== undefined) return nodeOfCode(reference.label);
  const nodes = sessionCookieLabels(incoming).map(nodeOfCode);
  return nodes.includes(own) ? own : nodes.at(-1);
}

export class PassedSockets {
  readonly #sockets = new Set<Duplex>();

  /**
   * Connects a browser's socket to the node's socket, with backpressure in both directions. If one closes, the other is
   * destroyed.
   * @param head bytes that the browser has already sent
   */
  async join(asked: Promise<UpgradeAnswer>, socket: Duplex, head: Buffer): Promise<void> {
    const answer = await asked;
    if (socket.destroyed) {
      if (answer.kind === 'taken') answer.socket.destroy();
      else answer.answer.destroy();
      return;
    }
    if (answer.kind === 'refused') {
      const body = await refusalOf(answer.answer);
      const headers = [...passedHeaders(answer.answer, body.length), 'Connection', 'close'];
      const refused = headOf(answer.answer, headers);
      endWithAnswer(socket, Buffer.concat([refused, body]));
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const headers = ['Upgrade', 'websocket', 'Connection', 'Upgrade', ...passedHeaders(answer.head, 'none')];
    socket.write(Buffer.concat([headOf(answer.head, headers), answer.first]));
    if (head.length > 0) socket.unshift(head);
    for (const [one, other] of [
      [socket, answer.socket],
      [answer.socket, socket],
    ] as const) {
      one.on('error', () => {});
      one.once('close', () => other.destroy());
      one.pipe(other);
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function headOf({ statusCode = 502 }: IncomingMessage, headers: readonly string[]): Buffer {
  let text = `HTTP/1.1 ${statusCode} ${reasonPhrase(statusCode)}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}

/** Session cookie with the node whose portal an operator is viewing. Other nodes pass the operator's requests to it. */
const NAME = 'Sallyport-Server';

export function chosenServer(incoming: IncomingMessage): string | undefined {
  const begin = `${cookieName(incoming, NAME)}=`;
  const sent = (incoming.headers.cookie ?? '').split(';').find((pair) => pair.trim().startsWith(begin));
  const code = sent?.trim().slice(begin.length) ?? '';
  return isNodeCode(code) ? code : undefined;
}

export function serverChoice(incoming: IncomingMessage, code: string): string {
  return strictCookie(incoming, NAME, code);
}

function withdrawnChoice(incoming: IncomingMessage): string {
  return withdrawnCookie(incoming, NAME);
}

/** Thrown if only the body of a request shows that it is for another node. The request is passed on with that body. */
export class OtherNodeError extends Error {
  readonly node: string;
  readonly body: Buffer;

  constructor(node: string, body: Buffer) {
    super(`the request is for node ${node}`);
    this.node = node;
    this.body = body;
  }
}

/**
 * Undefined if the code was issued by this node, or if the request came through a worker's socket and must not be
 * passed on again. A request from another machine can arrive at any worker, so it can be passed on.
 */
export function otherNodeOf({ nodes, sessions }: ClientSite, incoming: IncomingMessage, code: string) {
  const node = nodeOfCode(code);
  const mayPass = nodes !== undefined && arrivalOf(incoming) !== 'unix' && node !== sessions.node;
  return mayPass ? node : undefined;
}

export interface RepeatedAct {
  readonly node: string;
  readonly isDone: boolean;
  readonly answer: Readonly<Record<string, unknown>>;
}

const SILENCE_MILLISECONDS = 30_000;

const ofNode: Readonly<Record<string, string>> = {
  SVC_ERR_NODE_GONE: 'It cannot be reached.',
  SVC_ERR_NODE_UNREACHABLE: 'It cannot be reached.',
  SVC_ERR_NODE_LATE: 'It has not answered in time.',
};

/**
 * Repeats an operation of this node at other nodes, each of which writes its own audit entry. Empty if this request is
 * itself a repetition.
 */
export function repeatedAt(
  { nodes, line }: ClientSite,
  incoming: IncomingMessage,
  codes: readonly string[],
  body: Buffer,
): Promise<readonly RepeatedAct[]> {
  if (nodes === undefined || repeatedBy(incoming) !== undefined) return Promise.resolve([]);
  const carried = carriedOf(incoming, line.name);
  const options = { whenGone: () => {}, body, accept: 'application/json', silenceMilliseconds: SILENCE_MILLISECONDS };
  return Promise.all(
    codes.map(async (node) => {
      try {
        // a repeated request is not repeated again, so requests cannot loop
        const passed = await nodes.pass(node, incoming, { ...carried, repeatedBy: node }, 'client', options);
        const answer = JSON.parse((await refusalOf(passed)).toString()) as RepeatedAct['answer'];
        return { node, isDone: passed.statusCode === 200, answer };
      } catch (error) {
        const { code, message } = serviceErrorOf(error);
        return { node, isDone: false, answer: { code, message: ofNode[code] ?? message } };
      }
    }),
  );
}
