import type { IncomingMessage } from 'node:http';
import { isNodeCode, nodeOfPrefix } from '../../node-code.js';
import { nodeOfIdentifier } from '../../operation/session-identifier.js';
import { nodeOfCode } from '../../session/session-code.js';
import type { ClientRequest } from '../http/client-request.js';
import type { SessionPath } from '../http/request-path.js';
import { sessionCookieLabels } from '../sessions/session-cookie.js';
import { sessionReference } from '../sessions/session-reference.js';

const API_SESSION = /^\/api\/v1\/sessions\/([^/]+)/i;
const FIRST_DIRECTORY = /^\/([^/+]+)\//;

/** Of what operators see and do. */
const OPERATED = /^\/(?:api\/admin\/v1\/)?(sessions|traces|nodes)\/([^/]+)/i;
const EVENTS = /^\/console\/events$/i;
const WATCHED = /^screen:(.*)$/;

/** The node that a request is for; undefined: any can answer it. @param own the node that has got it */
export function nodeOfRequest(request: ClientRequest, own: string, isPortal: boolean): string | undefined {
  const { path, target, incoming } = request;
  if (isPortal) return operatedNode(request);
  if (path.kind === 'session') return nodeOfSession(path, incoming, own);
  const handle = API_SESSION.exec(target.path)?.[1];
  if (handle !== undefined) return nodeOfCode(handle);
  // pages are the same everywhere; what is sent to a prefix is for a session of its node
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
  return isRead ? undefined : nodeOfPrefix(FIRST_DIRECTORY.exec(target.path)?.[1] ?? '');
}

function operatedNode(request: ClientRequest): string | undefined {
  const { target, parameters, incoming } = request;
  const [, collection = '', name = ''] = OPERATED.exec(target.path) ?? [];
  // what is known of a server any other one can show
  if (collection.toLowerCase() === 'nodes') return incoming.method === 'POST' && isNodeCode(name) ? name : undefined;
  const watched = (parameters.get('topic') ?? []).flatMap((topic) => WATCHED.exec(topic)?.[1] ?? []);
  return nodeOfIdentifier(name) ?? nodeOfIdentifier(watched[0] ?? '') ?? nodeOfPage(request);
}

/** The server that made a page tells what of it changes, too. */
function nodeOfPage({ target, parameters }: ClientRequest): string | undefined {
  const [server = ''] = EVENTS.test(target.path) ? (parameters.get('server') ?? []) : [];
  return isNodeCode(server) ? server : undefined;
}

/** The node of a session that a path names, by its code or by its cookie. */
export function nodeOfSession({ session }: SessionPath, incoming: IncomingMessage, own: string): string | undefined {
  const reference = sessionReference(session);
  if (reference.by === 'code') return nodeOfCode(reference.code);
  if (reference.label !== undefined) return nodeOfCode(reference.label);
  const nodes = sessionCookieLabels(incoming).map(nodeOfCode);
  return nodes.includes(own) ? own : nodes.at(-1);
}
