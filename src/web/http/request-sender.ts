import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { CarriedRequest } from '../../cluster/nodes/carried-request.js';
import type { Arrival } from '../../cluster/nodes/other-nodes.js';
import { addressGroupOf, networkOf } from '../../lib/network/addresses.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { ClientTurn } from '../../lib/turns/fair-turns.js';
import type { Orderer } from '../../lib/turns/work-threads.js';
import { waitsOutside } from '../../lines/listener/request-intake.js';
import type { TrustedProxies } from '../../lines/listener/trusted-proxies.js';

/** Where a request comes from: the client, where proxies that are trusted speak for it. */
interface RequestSender {
  readonly address: string;
  readonly isOverTls: boolean;
}

/** Addresses of `X-Forwarded-For` that are looked at, from the last one on: no chain of our proxies is longer. */
const MOST_FORWARDED_ADDRESSES = 32;

/** Of requests that a trusted proxy has sent. */
const forwarded = new WeakMap<IncomingMessage, RequestSender>();

/** Of requests that another node has passed on: the address that their clients have reached, and how they came here. */
const carried = new WeakMap<
  IncomingMessage,
  { readonly reached: string; readonly arrival: Arrival; readonly repeatedBy: string | undefined }
>();

/** An IPv4 address also where it came in over IPv6 (`::ffff:192.0.2.1`). */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Who has sent a request: the client whose address counts for limits, log and audit trail. */
export function senderAddress(request: IncomingMessage): string {
  return forwarded.get(request)?.address ?? plainAddress(request.socket.remoteAddress ?? '');
}

/** The participant that a request counts for: the group of its client's address. */
export function clientOf(request: IncomingMessage): string {
  return addressGroupOf(senderAddress(request));
}

export function clientTurnOf(request: IncomingMessage): ClientTurn {
  return { peer: clientOf(request), waitsOutside: () => waitsOutside(request) };
}

/** The address of ours that its client has reached. */
export function reachedAddress(request: IncomingMessage): string {
  return carried.get(request)?.reached ?? plainAddress(request.socket.localAddress ?? '');
}

export function arrivalOf(request: IncomingMessage): Arrival {
  return carried.get(request)?.arrival ?? 'client';
}

/** The node that is to do what another one has done, which has passed it on and sees to all others. */
export function repeatedBy(request: IncomingMessage): string | undefined {
  return carried.get(request)?.repeatedBy;
}

/** Notes what another node says of a request that it has passed on. */
export function noteCarried(
  request: IncomingMessage,
  { client, isOverTls, reached, repeatedBy }: CarriedRequest,
  arrival: Arrival,
): void {
  forwarded.set(request, { address: client, isOverTls });
  carried.set(request, { reached, arrival, repeatedBy });
}

/** What the next node is told of a request on a line. */
export function carriedOf(request: IncomingMessage, line: string): CarriedRequest {
  return {
    line,
    client: senderAddress(request),
    isOverTls: isOverTls(request),
    reached: reachedAddress(request),
    repeatedBy: repeatedBy(request),
  };
}

/** Whether its client came over TLS, to us or to a trusted proxy. */
export function isOverTls(request: IncomingMessage): boolean {
  const { socket } = request;
  return forwarded.get(request)?.isOverTls ?? ('encrypted' in socket && socket.encrypted === true);
}

/**
 * Notes who has sent a request that comes from a trusted proxy: the last address of `X-Forwarded-For` that is no trusted proxy
 * itself. Whatever stands in front of that anybody may have written. Of others these headers count for nothing.
 */
export function noteSender(request: IncomingMessage, proxies: TrustedProxies): void {
  if (proxies.isEmpty || carried.has(request)) return;
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (!proxies.has(peer)) return;
  const said = listOf(request.headers['x-forwarded-for']).slice(-MOST_FORWARDED_ADDRESSES);
  let address = peer;
  let hops = 0;
  while (proxies.has(address)) {
    const before = said[said.length - 1 - hops];
    const next = before === undefined ? undefined : addressIn(before);
    // one that says no address is the last that is known
    if (next === undefined) break;
    address = next;
    hops++;
  }
  // each proxy adds what it was reached by; one that replaces what was there leaves one word
  const protocols = listOf(request.headers['x-forwarded-proto']);
  const protocol = protocols[Math.max(0, protocols.length - Math.max(1, hops))];
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
  forwarded.set(request, {
    address,
    isOverTls: protocol === undefined ? isEncrypted : protocol.toLowerCase() === 'https',
  });
}

/** Node joins several lines of these names into one. */
function listOf(header: string | string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text === '' ? [] : text.split(',').map((one) => one.trim());
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:4711`; undefined: none of them. */
function addressIn(text: string): string | undefined {
  const inBrackets = /^\[([0-9A-Fa-f:.]{2,45})\](?::\d{1,5})?$/.exec(text)?.[1];
  const withPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1];
  const address = inBrackets ?? withPort ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address.toLowerCase());
}

/** Whose work a request is: all addresses of an IPv6 network count as one client. */
export function ordererOf(incoming: IncomingMessage, signal: StopSignal): Orderer {
  const address = senderAddress(incoming);
  return { address: address.includes(':') ? networkOf(address) : address, signal };
}
