import type { IncomingMessage } from 'node:http';
import { networkOf } from '../../lib/network/addresses.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { Orderer } from '../../lib/turns/work-threads.js';
import { senderAddress } from './request-sender.js';

/** Whose work a request is: all addresses of an IPv6 network count as one client. */
export function ordererOf(incoming: IncomingMessage, signal: StopSignal): Orderer {
  const address = senderAddress(incoming);
  return { address: address.includes(':') ? networkOf(address) : address, signal };
}
