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

interface RequestSender {
  readonly address: string;
  readonly isOverTls: boolean;
}

/** Evaluated from the last one. Chains of trusted proxies are shorter. */
const MOST_FORWARDED_ADDRESSES = 32;

const forwarded = new WeakMap<IncomingMessage, RequestSender>();

const carried = new WeakMap<
  IncomingMessage,
  { readonly reached: string; readonly arrival: Arrival; readonly repeatedBy: string | undefined }
>();

/** Also converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`). */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

export function senderAddress(request: IncomingMessage): string {
  return forwarded.get(request)?.address ?? plainAddress(request.socket.remoteAddress ?? '');
}

export function clientOf(request: IncomingMessage): string {
  return addressGroupOf(senderAddress(request));
}

export function clientTurnOf(request: IncomingMessage): ClientTurn {
  return { peer: clientOf(request), waitsOutside: () => waitsOutside(request) };
}

export function reachedAddress(request: IncomingMessage): string {
  return carried.get(request)?.reached ?? plainAddress(request.socket.localAddress ?? '');
}

export function arrivalOf(request: IncomingMessage): Arrival {
  return carried.get(request)?.arrival ?? 'client';
}

/** This node, if another node passed on the request to repeat an operation here. That node also contacts all others. */
export function repeatedBy(request: IncomingMessage): string | undefined {
  return carried.get(request)?.repeatedBy;
}

export function noteCarried(
  request: IncomingMessage,
  { client, isOverTls, reached, repeatedBy }: CarriedRequest,
  arrival: Arrival,
): void {
  forwarded.set(request, { address: client, isOverTls });
  carried.set(request, { reached, arrival, repeatedBy });
}

export function carriedOf(request: IncomingMessage, line: string): CarriedRequest {
  return {
    line,
    client: senderAddress(request),
    isOverTls: isOverTls(request),
    reached: reachedAddress(request),
    repeatedBy: repeatedBy(request),
  };
}

/** True if the client used TLS, to this server or to a trusted proxy. */
export function isOverTls(request: IncomingMessage): boolean {
  const { socket } = request;
  return forwarded.get(request)?.isOverTls ?? ('encrypted' in socket && socket.encrypted === true);
}

/**
 * Finds the client of a request from a trusted proxy: the last address in `X-Forwarded-For` that is not a trusted
 * proxy. Earlier addresses may be forged. The header is ignored for other requests.
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
    // an entry without an address ends the chain at the last known address
    if (next === undefined) break;
    address = next;
    hops++;
  }
  // each proxy appends its protocol; a proxy that replaces the header leaves one value
  const protocols = listOf(request.headers['x-forwarded-proto']);
  const protocol = protocols[Math.max(0, protocols.length - Math.max(1, hops))];
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
  forwarded.set(request, {
    address,
    isOverTls: protocol === undefined ? isEncrypted : protocol.toLowerCase() === 'https',
  });
}

/** Node joins repeated headers of these names. */
function listOf(header: string | string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text === '' ? [] : text.split(',').map((one) => one.trim());
}

/** Accepts `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:4711`. */
function addressIn(text: string): string | undefined {
  const inBrackets = /^\[([0-9A-Fa-f:.]{2,45})\](?::\d{1,5})?$/.exec(text)?.[1];
  const withPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1];
  const address = inBrackets ?? withPort ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address.toLowerCase());
}

/** All addresses of an IPv6 network count as one client. */
export function ordererOf(incoming: IncomingMessage, signal: StopSignal): Orderer {
  const address = senderAddress(incoming);
  return { address: address.includes(':') ? networkOf(address) : address, signal };
}
