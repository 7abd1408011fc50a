import type { IncomingMessage } from 'node:http';
import { isNodeCode, nodeOfPrefix } from '../../lib/network/node-code.js';
import { nodeOfIdentifier } from '../../operation/session-identifier.js';
import { nodeOfCode } from '../../sessions/session-code.js';
import type { ClientRequest } from '../http/client-request.js';
import type { SessionPath } from '../http/request-path.js';
import { sessionCookieLabels } from '../sessions/session-cookie.js';
import { sessionReference } from '../sessions/session-reference.js';

const FIRST_DIRECTORY = /^\/([^/+]+)\//;

const PROGRAMS = ['api', 'v1'];
const PROGRAMS_OF_OPERATORS = ['api', 'admin', 'v1'];
/** Of what operators see and do. */
const OPERATED: readonly string[] = ['sessions', 'traces', 'nodes'];
const EVENTS = 'console/events';
const WATCHED = /^screen:(.*)$/;

/** The node that a request is for; undefined: any can answer it. @param own the node that has got it */
export function nodeOfRequest(request: ClientRequest, own: string, isPortal: boolean): string | undefined {
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
export function isForServer(request: ClientRequest): boolean {
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
