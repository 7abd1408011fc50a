import type { IncomingMessage } from 'node:http';
import type { InboundLineDefinition } from '../../line/line-definition.js';
import { clientAddress } from './request-names.js';

/** What may stand in a command line as it is: a name, an IPv4 address or an IPv6 address in brackets, and a port. */
const HOST = /^(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Where a client reaches the line, without a slash at the end: as the client says it, else the address it has reached. */
export function lineUrl({ tls }: InboundLineDefinition, { headers, socket }: IncomingMessage): string {
  const { host = '' } = headers;
  const address = clientAddress(socket.localAddress) ?? '';
  const reached = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
  return `${tls === undefined ? 'http' : 'https'}://${HOST.test(host) ? host : reached}`;
}
