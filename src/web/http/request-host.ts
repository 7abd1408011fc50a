import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../lib/errors.js';
import { reachedAddress } from './request-sender.js';

/** `Host` (RFC 9110, section 7.2): the name or the address in front of the port. */
const HOST = /^(\[[\da-f:.]+\]|[^:[\]@/?#\s]+)(?::\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;
const LOOPBACK = /^(?:127\.|::1$)/;

/**
 * Serves a line under its names alone, so that a page whose own name was made to lead here (DNS rebinding) gets nothing.
 * Always served are the address that the connection came to, which no page of somebody else has as its name, and `localhost`
 * where it came from this machine.
 *
 * @param names lower case; undefined: any
 * @throws ServiceError SVC_ERR_REQUEST_HOST; SVC_ERR_REQUEST_SYNTAX for a Host that can be none
 */
export function checkRequestHost(request: IncomingMessage, names: ReadonlySet<string> | undefined): void {
  const { headers, url = '' } = request;
  if (names === undefined) {
    // RFC 9112, section 3.2; it is empty where a request has no authority
    if (headers.host === undefined || headers.host === '' || HOST.test(headers.host)) return;
    throw new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: 'Host is no host name and port.' });
  }
  const inTarget = ABSOLUTE_FORM.exec(url)?.[1];
  for (const host of inTarget === undefined ? [headers.host] : [headers.host, inTarget]) {
    if (!isServed(host ?? '', names, reachedAddress(request))) {
      throw new ServiceError('SVC_ERR_REQUEST_HOST');
    }
  }
}

function isServed(host: string, names: ReadonlySet<string>, localAddress: string): boolean {
  const name = HOST.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '');
  if (name === undefined) return false;
  if (names.has(name)) return true;
  if (name === 'localhost') return LOOPBACK.test(localAddress);
  return name === (localAddress.includes(':') ? `[${localAddress}]` : localAddress);
}
