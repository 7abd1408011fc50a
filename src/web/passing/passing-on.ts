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

/** Of a refusal: longer ones are no pages of ours, and are cut off. */
const LARGEST_REFUSAL_BYTES = 65_536;

/** Requests for sessions of other nodes are answered by those, and what would begin a session where none may, by another. */
export function passingOn(site: ClientSite, nodes: NonNullable<ClientSite['nodes']>): ClientMiddleware {
  return async ({ state, req, res }, next) => {
    const own = site.sessions.node;
    const passTo = async (node: string, body?: Buffer) => {
      const options = { whenGone: goneFrom(res), body };
      const passed = await nodes.pass(node, req, carriedOf(req, site.line.name), arrivalOf(req), options);
      // one request, and one number in the logs of both
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

/** What says that a session is gone, where a server itself was asked for. */
function ofServer(error: unknown): unknown {
  const isOfSession = error instanceof ServiceError && error.code === 'SVC_ERR_NODE_GONE';
  return isOfSession ? new ServiceError('SVC_ERR_NODE_UNKNOWN', { cause: error }) : error;
}

/** Nothing of it has been sent away. */
function mayBeAnsweredHere({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Nothing of it has been read, and it has not come from another node that is drained. */
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
  // Node frames answers to clients in chunks by itself; a body of 204 has no length
  const framed = framing === 'chunked' || status === 204 ? 'none' : framing;
  const answer = { status, headers: passedHeaders(passed, framed), body: Buffer.alloc(0), isComplete: true };
  if (method === 'HEAD' || status === 204 || status === 304) {
    passed.resume();
    return answer;
  }
  // the edge may have to end the connection behind it
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

/** The body of an answer of a node, as far as it is taken. */
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
/** Of what operators see and do. */
const OPERATED: readonly string[] = ['sessions', 'traces', 'nodes'];
const EVENTS = 'console/events';
const WATCHED = /^screen:(.*)$/;

/** The node that a request is for; undefined: any can answer it. @param own the node that has got it */
function nodeOfRequest(request: ClientRequest, own: string, isPortal: boolean): string | undefined {
  const { path, target, incoming } = request;
  if (isPortal) return operatedNode(request);
  if (path.kind === 'session') return nodeOfSession(path, incoming, own);
  const [collection, handle] = namesBehind(PROGRAMS, namesOf(request)) ?? [];
  if (collection === 'sessions' && handle !== undefined) return nodeOfCode(handle);
  // pages are the same everywhere; what is sent to a prefix is for a session of its node
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
  return isRead ? undefined : nodeOfPrefix(FIRST_DIRECTORY.exec(target.path)?.[1] ?? '');
}

/** Whether it is for a server, and not for a session or a trace there. */
function isForServer(request: ClientRequest): boolean {
  return operated(request).collection === 'nodes';
}

function operatedNode(request: ClientRequest): string | undefined {
  const { parameters, incoming } = request;
  const { collection, name } = operated(request);
  // what is known of a server any other one can show
  if (collection === 'nodes') return incoming.method === 'POST' && isNodeCode(name) ? name : undefined;
  const watched = (parameters.get('topic') ?? []).flatMap((topic) => WATCHED.exec(topic)?.[1] ?? []);
  return nodeOfIdentifier(name) ?? nodeOfIdentifier(watched[0] ?? '') ?? nodeOfPage(request);
}

/** What operators name in a path. */
function operated(request: ClientRequest): { readonly collection: string; readonly name: string } {
  const names = namesOf(request);
  const [collection = '', name = ''] = namesBehind(PROGRAMS_OF_OPERATORS, names) ?? names;
  return OPERATED.includes(collection.toLowerCase())
    ? { collection: collection.toLowerCase(), name }
    : { collection: '', name: '' };
}

/** The server that made a page tells what of it changes, too. */
function nodeOfPage(request: ClientRequest): string | undefined {
  const isOfPage = namesOf(request).join('/').toLowerCase() === EVENTS;
  const [server = ''] = (isOfPage && request.parameters.get('server')) || [];
  return isNodeCode(server) ? server : undefined;
}

/** The names in a path, decoded. */
function namesOf({ path }: ClientRequest): readonly string[] {
  return [...path.directories, path.page];
}

/** Undefined: the path is another one. */
function namesBehind(root: readonly string[], names: readonly string[]): readonly string[] | undefined {
  return root.every((name, at) => names[at]?.toLowerCase() === name) ? names.slice(root.length) : undefined;
}

/** The node of a session that a path names, by its code or by its cookie. */
export function nodeOfSession({ session }: SessionPath, incoming: IncomingMessage, own: string): string | undefined {
  const reference = sessionReference(session);
  if (reference.by === 'code') return nodeOfCode(reference.code);
  if (reference.label !== undefined) return nodeOfCode(reference.label);
  const nodes = sessionCookieLabels(incoming).map(nodeOfCode);
  return nodes.includes(own) ? own : nodes.at(-1);
}

/** Browsers' WebSockets whose other ends are at other nodes. */
export class PassedSockets {
  readonly #sockets = new Set<Duplex>();

  /**
   * Joins a browser's connection to that of the node. What either says goes on as the other takes it; both end together.
   * @param head what the browser has sent already
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

/** Of the server whose portal an operator looks at: any other one passes requests on to it. It ends with the browser. */
const NAME = 'Sallyport-Server';

/** Its code; undefined: none was chosen. */
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

/** Thrown where only the body of a request tells that it is for another node: it is passed on with that body. */
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
 * The node that made a code which nobody knows here; undefined: this one, or there is none to ask. Over the internal line any
 * worker of a machine may have got what is for another one.
 */
export function otherNodeOf({ nodes, sessions }: ClientSite, incoming: IncomingMessage, code: string) {
  const node = nodeOfCode(code);
  const mayPass = nodes !== undefined && arrivalOf(incoming) !== 'unix' && node !== sessions.node;
  return mayPass ? node : undefined;
}

/** What became of it at another node. */
export interface RepeatedAct {
  readonly node: string;
  readonly isDone: boolean;
  /** What it has answered: a JSON object; of what could not be done, with a message. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** In which another node has done it. */
const SILENCE_MILLISECONDS = 30_000;

/** Of a server that is named beside it. */
const ofNode: Readonly<Record<string, string>> = {
  SVC_ERR_NODE_GONE: 'It cannot be reached.',
  SVC_ERR_NODE_UNREACHABLE: 'It cannot be reached.',
  SVC_ERR_NODE_LATE: 'It has not answered in time.',
};

/** Has other nodes do what this one has done for a request: each by itself, and on record there. None where another node sees to it. */
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
        // whoever repeats nothing of it again cannot be asked in a circle
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
