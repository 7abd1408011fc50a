import type { IncomingMessage } from 'node:http';
import { nodeOfCode } from '../../sessions/session-code.js';
import type { ClientSite } from '../http/client-site.js';
import { arrivalOf } from '../http/request-sender.js';

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
