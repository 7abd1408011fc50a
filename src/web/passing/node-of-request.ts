import type { IncomingMessage } from 'node:http';
import { nodeOfPrefix } from '../../node-code.js';
import { nodeOfCode } from '../../session/session-code.js';
import type { ClientRequest } from '../http/client-request.js';
import type { SessionPath } from '../http/request-path.js';
import { sessionCookieLabels } from '../sessions/session-cookie.js';
import { sessionReference } from '../sessions/session-reference.js';

const API_SESSION = /^\/api\/v1\/sessions\/([^/]+)/i;
const FIRST_DIRECTORY = /^\/([^/+]+)\//;

/** The node that a request is for; undefined: any can answer it. @param own the node that has got it */
export function nodeOfRequest({ path, target, incoming }: ClientRequest, own: string): string | undefined {
  if (path.kind === 'session') return nodeOfSession(path, incoming, own);
  const handle = API_SESSION.exec(target.path)?.[1];
  if (handle !== undefined) return nodeOfCode(handle);
  // pages are the same everywhere; what is sent to a prefix is for a session of its node
  const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
  return isRead ? undefined : nodeOfPrefix(FIRST_DIRECTORY.exec(target.path)?.[1] ?? '');
}

/** The node of a session that a path names, by its code or by its cookie. */
export function nodeOfSession({ session }: SessionPath, incoming: IncomingMessage, own: string): string | undefined {
  const reference = sessionReference(session);
  if (reference.by === 'code') return nodeOfCode(reference.code);
  if (reference.label !== undefined) return nodeOfCode(reference.label);
  const nodes = sessionCookieLabels(incoming).map(nodeOfCode);
  return nodes.includes(own) ? own : nodes.at(-1);
}
