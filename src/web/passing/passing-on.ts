import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { framingOf } from '../../cluster/nodes/framing.js';
import { passedHeaders } from '../../cluster/nodes/passed-headers.js';
import { ServiceError } from '../../lib/errors.js';
import type { Answer } from '../http/answer.js';
import type { ClientMiddleware } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { arrivalOf, carriedOf, repeatedBy } from '../http/request-sender.js';
import { chosenServer, withdrawnChoice } from './chosen-server.js';
import { isForServer, nodeOfRequest } from './node-of-request.js';
import { OtherNodeError } from './other-node-error.js';

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
