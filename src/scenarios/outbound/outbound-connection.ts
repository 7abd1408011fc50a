import { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher, errors } from 'undici';
import type { OutboundMessage } from './outbound.js';
import type { OutboundAddress, OutboundLimits } from './outbound-line-definition.js';

/**
 * Idle connections are closed after this time, or two seconds before the time in the service's `Keep-Alive` header,
 * whichever is less. Services close theirs after five seconds or more, and a POST on a closing connection cannot be
 * resent.
 */
const IDLE_MILLISECONDS = 4000;
const IDLE_MILLISECONDS_AT_MOST = 30_000;

/**
 * A persistent connection to a site, reopened by the next call if the site closed it. It carries one call at a time.
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
        // undici's connector returns the socket, although its declaration omits it
        const socket: unknown = connect(options, callback);
        this.#socket = socket instanceof Socket ? socket : undefined;
        if (this.#socket !== undefined) this.#interimResponses.skipOn(this.#socket);
      },
      pipelining: 1,
      keepAliveTimeout: IDLE_MILLISECONDS,
      keepAliveMaxTimeout: IDLE_MILLISECONDS_AT_MOST,
      // undici rejects a header of exactly this size, too
      maxHeaderSize: limits.replyHeaderBytes + 1,
      // undici's timeouts are coarse (500 ms fire after 1 s), so the call has its own timer
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  send({ method, path, headers, body }: OutboundMessage, handler: Dispatcher.DispatchHandler): void {
    this.#interimResponses.expectResponse();
    this.#client.dispatch({ method, path, headers: ['host', this.#site, ...headers], body }, handler);
  }

  /** Closes the connection at once, even while it is being opened. A call in progress fails with `reason`. */
  discard(reason: Error): void {
    this.#client.destroy(reason).catch(() => {});
    this.#socket?.destroy(reason);
    this.#socket = undefined;
  }
}

/** Beginning of an interim response (RFC 9110, section 15.2); `#` is a digit. */
const SHAPE = Buffer.from('HTTP/1.# 1##', 'latin1');
const ANY_DIGIT = 0x23;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/**
 * Switching Protocols is not an interim response: the upgrade was not requested, and the following bytes are not HTTP.
 */
const SWITCHING = ' 101';
const HEAD_END = '\r\n\r\n';
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Removes interim responses (100 Continue, 103 Early Hints …) from undici's input. undici treats an unrequested 100 as
 * a broken reply, but clients must accept any number of them before the final response (RFC 9110, section 15.2).
 */
class InterimResponses {
  #held: Buffer = NOTHING;
  #beforeFinal = false;
  #skippedBytes = 0;

  /** @param bound maximum bytes of interim responses before a final response */
  constructor(readonly bound: number) {}

  expectResponse(): void {
    this.#held = NOTHING;
    this.#beforeFinal = true;
    this.#skippedBytes = 0;
  }

  skipOn(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => {
      // Node's first read has the size 0
      if (size !== undefined) return read(size);
      for (;;) {
        const piece: Buffer | null = read();
        if (piece === null || !this.#beforeFinal) return piece;
        const rest = this.#next(piece, socket);
        if (rest.length > 0) return rest;
      }
    };
  }

  #next(piece: Buffer, socket: Socket): Buffer {
    let bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    this.#held = NOTHING;
    while (isInterim(bytes)) {
      const end = bytes.indexOf(HEAD_END);
      const skipped = end < 0 ? bytes.length : end + HEAD_END.length;
      if (this.#skippedBytes + skipped > this.bound) {
        socket.destroy(new errors.HeadersOverflowError());
        return NOTHING;
      }
      if (end < 0) {
        this.#held = bytes;
        return NOTHING;
      }
      this.#skippedBytes += skipped;
      bytes = bytes.subarray(skipped);
    }
    if (bytes.length > 0) this.#beforeFinal = false;
    return bytes;
  }
}

/** True also if there are too few bytes to decide. */
function isInterim(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, SHAPE.length);
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    const isRight = SHAPE[at] === ANY_DIGIT ? byte >= DIGIT_0 && byte <= DIGIT_9 : byte === SHAPE[at];
    if (!isRight) return false;
  }
  return length > 0 && !bytes.toString('latin1', 0, length).endsWith(SWITCHING);
}
