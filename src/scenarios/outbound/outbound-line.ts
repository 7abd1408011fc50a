import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { type Metrics, noMetrics, secondsSince } from '../../lib/metrics.js';
import { tlsCiphers } from '../../lib/network/tls-ciphers.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import { callTraceOf, type OutboundTracing } from './call-trace.js';
import {
  checkOutboundRequest,
  type OutboundCaller,
  OutboundError,
  type OutboundMessage,
  type OutboundReply,
  type OutboundRequest,
} from './outbound.js';
import { OutboundCall, type ReplyHead } from './outbound-call.js';
import { OutboundConnection } from './outbound-connection.js';
import {
  type OutboundAddress,
  type OutboundLimits,
  type OutboundLineDefinition,
  type OutboundTls,
  parseSite,
  type ReadPem,
} from './outbound-line-definition.js';

/** Maximum number of sites per line with open connections; the least recently used site is dropped. */
const SITES_OF_A_LINE = 64;
const DRAIN_MILLISECONDS = 5000;

interface OutboundLine {
  readonly definition: OutboundLineDefinition;
  readonly address: OutboundAddress | undefined;
  readonly connect: ReturnType<typeof connectorOfLine>;
  /** By `host:port` as written (also the Host header), the most recently used last. */
  readonly sites: Map<string, OutboundSite>;
}

/**
 * The outbound lines (specification 4.5, reference 4.4). Connections are kept open per line and site. Redirects are not
 * followed and calls are not retried, because POST is not idempotent: a call whose connection breaks fails.
 */
export class OutboundLines implements OutboundCaller {
  /** By internal name, and by external name unless another line has it as internal name. */
  readonly #lines = new Map<string, OutboundLine>();
  readonly #metrics: Pick<Metrics, 'outboundEnded'>;
  readonly #tracing: OutboundTracing | undefined;
  #closing = false;

  /** @throws Error if the fixed site or a certificate file of a line is unusable */
  constructor(
    definitions: readonly OutboundLineDefinition[],
    readPem: ReadPem,
    metrics: Pick<Metrics, 'outboundEnded'> = noMetrics,
    tracing?: OutboundTracing,
  ) {
    this.#metrics = metrics;
    this.#tracing = tracing;
    for (const definition of definitions) {
      const { name, site, tls } = definition;
      const address = site === undefined ? undefined : parseSite(site, tls !== undefined);
      if (site !== undefined && address === undefined) throw new Error(`line ${name}: site: not host:port`);
      const line = { definition, address, connect: connectorOfLine(definition, readPem), sites: new Map() };
      this.#lines.set(name, line);
    }
    for (const line of [...this.#lines.values()]) {
      const { externalName } = line.definition;
      if (!this.#lines.has(externalName)) this.#lines.set(externalName, line);
    }
  }

  /**
   * A line with its own site always calls that site; otherwise the request names the site. If the signal is already
   * aborted, nothing is sent.
   *
   * @throws OutboundError (as a rejection) for every failure
   */
  async call(
    line: string,
    request: OutboundRequest,
    maxTimeMilliseconds: number | undefined,
    signal: StopSignal,
  ): Promise<OutboundReply> {
    const since = performance.now();
    // the name comes from a scenario and may be any text
    const name = this.#lines.get(line)?.definition.name ?? '';
    const trace = this.#tracing && callTraceOf(this.#tracing, name, request);
    try {
      const site = this.#site(line, request);
      const message = checkOutboundRequest(request, site.siteName);
      if (signal.aborted) throw new OutboundError('aborted', `${site.siteName}: the caller cancelled the call`);
      trace?.called(site.address.site, message);
      const onHead: ReplyHead | undefined = trace && ((status, headers) => trace.answered(status, headers));
      const reply = await site.call(message, maxTimeMilliseconds, signal, onHead);
      trace?.completed(reply.body);
      this.#metrics.outboundEnded(name, undefined, secondsSince(since));
      return reply;
    } catch (failure) {
      const reason = failure instanceof OutboundError ? failure.reason : 'failed';
      trace?.failed(failure);
      this.#metrics.outboundEnded(name, reason, secondsSince(since));
      throw failure;
    }
  }

  /** Rejects new calls, waits up to `milliseconds` for calls in progress, then aborts the rest. */
  async close(milliseconds = DRAIN_MILLISECONDS): Promise<void> {
    this.#closing = true;
    // a line with a different external name is in the map twice
    const sites = [...new Set(this.#lines.values())].flatMap((line) => [...line.sites.values()]);
    let timer: NodeJS.Timeout | undefined;
    const timeOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([Promise.all(sites.map((site) => site.drain())), timeOver]);
    clearTimeout(timer);
    for (const site of sites) site.destroy();
    for (const line of this.#lines.values()) line.sites.clear();
  }

  #site(name: string, request: OutboundRequest): OutboundSite {
    const line = this.#lines.get(name);
    if (line === undefined) throw new OutboundError('unknown line', 'there is no outbound line of this name');
    if (this.#closing) throw new OutboundError('stopping', `line ${name}: the line is closed`);
    const known = line.sites.get(line.address?.site ?? request.site ?? '');
    if (known === undefined) return this.#openSite(line, request.site);
    if (line.sites.size > 1) {
      line.sites.delete(known.address.site);
      line.sites.set(known.address.site, known);
    }
    return known;
  }

  #openSite({ definition, address: ownAddress, connect, sites }: OutboundLine, requested = ''): OutboundSite {
    const { name, tls, limits } = definition;
    const address = ownAddress ?? parseSite(requested, tls !== undefined);
    if (address === undefined) throw new OutboundError('site', `line ${name}: the site is not host:port`);
    if (sites.size >= SITES_OF_A_LINE) this.#forgetOneSite(name, sites);
    const site = new OutboundSite(address, `line ${name}, site ${address.site}`, connect, limits);
    sites.set(address.site, site);
    return site;
  }

  #forgetOneSite(line: string, sites: Map<string, OutboundSite>): void {
    for (const [name, site] of sites) {
      if (site.busy) continue;
      site.destroy();
      sites.delete(name);
      return;
    }
    throw new OutboundError('busy', `line ${line}: ${SITES_OF_A_LINE} sites are already in use`);
  }
}

/**
 * Creates the TLS connector of a line; reads certificates and keys once. The site's host name is sent as server name
 * and must match the certificate.
 *
 * @throws Error if a file cannot be read or is not a certificate or key; the message names line and key
 */
export function connectorOfLine(
  { name, tls, limits }: OutboundLineDefinition,
  readPem: ReadPem,
): buildConnector.connector {
  const timeout = limits.connectSeconds * 1000;
  if (tls === undefined) return buildConnector({ timeout });
  return buildConnector({ timeout, secureContext: secureContextOf(name, tls, readPem), rejectUnauthorized: true });
}

function secureContextOf(line: string, tls: OutboundTls, readPem: ReadPem): SecureContext {
  const read = (key: 'ca' | 'cert' | 'key'): string | undefined => {
    const path = tls[key];
    try {
      return path === undefined ? undefined : readPem(path).toString();
    } catch (cause) {
      throw new Error(`line ${line}: tls.${key}: cannot read ${path}`, { cause });
    }
  };
  const ca = read('ca');
  const cert = read('cert');
  const key = read('key');
  try {
    return createSecureContext({
      ciphers: tlsCiphers(tls.ciphers),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  } catch (cause) {
    throw new Error(`line ${line}: tls: not a usable certificate or key`, { cause });
  }
}

/**
 * Connections of a line to one site, and the queue of its calls. The most recently used connection is used first, so
 * that surplus connections time out.
 */
class OutboundSite {
  readonly #idle: OutboundConnection[] = [];
  readonly #running = new Set<OutboundCall>();
  readonly #waiting = new Set<OutboundCall>();
  #drained: (() => void) | undefined;

  constructor(
    readonly address: OutboundAddress,
    readonly siteName: string,
    readonly connect: buildConnector.connector,
    readonly limits: OutboundLimits,
  ) {}

  get busy(): boolean {
    return this.#running.size > 0;
  }

  call(
    message: OutboundMessage,
    maxTimeMilliseconds: number | undefined,
    signal: StopSignal,
    onHead?: ReplyHead,
  ): Promise<OutboundReply> {
    const { siteName, limits } = this;
    return new Promise((resolve, reject) => {
      const mustWait = this.#running.size >= limits.connections;
      if (mustWait && this.#waiting.size >= limits.queuedRequests) {
        reject(
          new OutboundError('busy', `${siteName}: ${limits.queuedRequests} calls are already waiting for a connection`),
        );
        return;
      }
      const call = new OutboundCall({
        message,
        siteName,
        replyBytes: limits.replyBytes,
        maxTimeMilliseconds,
        signal,
        onHead,
        resolve,
        reject,
        ended: this.#onEnded,
      });
      if (mustWait) this.#waiting.add(call);
      else this.#start(call);
    });
  }

  async drain(): Promise<void> {
    if (this.busy) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  destroy(): void {
    for (const call of [...this.#waiting, ...this.#running]) call.stop();
    const reason = new OutboundError('stopping', `${this.siteName}: the line is closed`);
    for (const connection of this.#idle.splice(0)) connection.discard(reason);
  }

  #start(call: OutboundCall): void {
    this.#running.add(call);
    call.sendOn(this.#idle.pop() ?? new OutboundConnection(this.address, this.connect, this.limits));
  }

  readonly #onEnded = (call: OutboundCall, connection: OutboundConnection | undefined, reusable: boolean): void => {
    this.#waiting.delete(call);
    if (!this.#running.delete(call)) return;
    if (connection && reusable) this.#idle.push(connection);
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      this.#start(next);
    } else if (!this.busy) {
      this.#drained?.();
    }
  };
}
