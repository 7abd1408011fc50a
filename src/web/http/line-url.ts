import type { IncomingMessage } from 'node:http';
import { isOverTls, plainAddress } from './request-sender.js';

/** What may stand in a command line as it is: a name, an IPv4 address or an IPv6 address in brackets, and a port. */
const HOST = /^(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Where a client reaches the line, without a slash at the end: as the client says it, else the address it has reached. */
export function lineUrl(request: IncomingMessage): string {
  const { headers, socket } = request;
  const { host = '' } = headers;
  const address = plainAddress(socket.localAddress ?? '');
  const reached = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
  return `${isOverTls(request) ? 'https' : 'http'}://${HOST.test(host) ? host : reached}`;
}
