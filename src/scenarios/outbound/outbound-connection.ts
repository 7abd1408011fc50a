import { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { InterimResponses } from './interim-responses.js';
import type { OutboundAddress } from './outbound-address.js';
import type { OutboundLimits } from './outbound-line-definition.js';
import type { OutboundMessage } from './outbound-message.js';

/**
 * An idle connection is closed after this time, or two seconds before the time that the service names in its
 * `Keep-Alive` header, whichever is less: services close theirs after five seconds or more, and a POST that meets a
 * closing connection cannot be sent again.
 */
const IDLE_MILLISECONDS = 4000;
const IDLE_MILLISECONDS_AT_MOST = 30_000;

/**
 * One connection to a site, kept open between calls, and reopened by the next call if the site closed it.
 * It carries one call at a time.
 */
export class OutboundConnection {
  readonly #client: Client;
  readonly #site: string;
  readonly #interimResponses: InterimResponses;
  #socket: Socket | undefined;

  constructor({ site, origin }: OutboundAddress, connect: buildConnector.connector, limits: OutboundLimits) {
    this.#site = site;
    this.#interimResponses = new InterimResponses(limits.replyHeaderBytes);
    this.#client = new Client(origin, {
      connect: (options, callback) => {
        // undici's connector returns the socket it opens, though its declaration does not say so
        const socket: unknown = connect(options, callback);
        this.#socket = socket instanceof Socket ? socket : undefined;
        if (this.#socket !== undefined) this.#interimResponses.skipOn(this.#socket);
      },
      pipelining: 1,
      keepAliveTimeout: IDLE_MILLISECONDS,
      keepAliveMaxTimeout: IDLE_MILLISECONDS_AT_MOST,
      // undici rejects this size as well as larger ones
      maxHeaderSize: limits.replyHeaderBytes + 1,
      // undici's own timeouts are coarse (500 ms fire after 1 s): the call has its own timer
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  send({ method, path, headers, body }: OutboundMessage, handler: Dispatcher.DispatchHandler): void {
    this.#interimResponses.expectResponse();
    this.#client.dispatch({ method, path, headers: ['host', this.#site, ...headers], body }, handler);
  }

  /** Ends the connection at once, even while it is being opened. A call in progress fails with `reason`. */
  discard(reason: Error): void {
    this.#client.destroy(reason).catch(() => {});
    this.#socket?.destroy(reason);
    this.#socket = undefined;
  }
}
