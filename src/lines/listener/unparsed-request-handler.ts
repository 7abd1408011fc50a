import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../lib/errors.js';
import { LINGER_MILLISECONDS } from './connection-gate.js';
import { endWithAnswer } from './refusal.js';
import { classifyUnparsedRequest, OverlongLine, type ParserError } from './unparsed-request.js';

/** An overlong line is followed this far for its end. */
const MOST_FOLLOWED_BYTES = 1_048_576;

interface UnparsedRequestPorts {
  readonly urlBytes: number;
  /** The bytes that answer a request that could not be read, after which the connection ends. */
  readonly answer: (code: ErrorCode, connection: Duplex) => Buffer;
  readonly onTlsBytes: (connection: Duplex) => void;
  /** The last response begun on this connection. */
  readonly latestResponse: (connection: Duplex) => ServerResponse | undefined;
  /** Further input on this connection is ignored. */
  readonly onAnswered: (connection: Duplex) => void;
}

/**
 * Answers input that the HTTP parser rejected (`clientError`). Node reports every packet after the first fault again: a
 * connection gets one answer, is read for a while (so that no reset overtakes the answer), and is then closed.
 */
export class UnparsedRequestHandler {
  readonly #answered = new WeakSet<Duplex>();
  readonly #overlong = new WeakMap<Duplex, OverlongLine>();

  constructor(private readonly ports: UnparsedRequestPorts) {}

  handle(error: ParserError, connection: Duplex): void {
    if (this.#answered.has(connection)) return;
    const followed = this.#overlong.get(connection);
    if (followed !== undefined && error.rawPacket !== undefined) {
      this.#continueOverlong(followed, error.rawPacket, connection);
      return;
    }
    const result = classifyUnparsedRequest(error, this.ports.urlBytes);
    switch (result) {
      case 'gone':
        connection.destroy();
        return;
      case 'tls':
        this.#answered.add(connection);
        this.ports.onTlsBytes(connection);
        connection.destroy();
        return;
      case 'undecided':
        this.#followOverlong(connection, error.rawPacket ?? Buffer.alloc(0));
        return;
      default:
        this.#answer(result, connection);
    }
  }

  #followOverlong(connection: Duplex, packet: Buffer): void {
    const followed = new OverlongLine(MOST_FOLLOWED_BYTES);
    this.#overlong.set(connection, followed);
    const timer = setTimeout(() => this.#answer('SVC_ERR_REQUEST_URL_LENGTH', connection), LINGER_MILLISECONDS);
    connection.once('close', () => clearTimeout(timer));
    this.#continueOverlong(followed, packet, connection);
  }

  #continueOverlong(followed: OverlongLine, packet: Buffer, connection: Duplex): void {
    const result = followed.next(packet);
    if (result !== 'undecided') this.#answer(result, connection);
  }

  #answer(code: ErrorCode, connection: Duplex): void {
    if (this.#answered.has(connection)) return;
    this.#answered.add(connection);
    this.ports.onAnswered(connection);
    const response = this.ports.latestResponse(connection);
    const inFlight = response !== undefined && !response.writableFinished && !response.destroyed;
    if (inFlight && response.req.complete) {
      // a complete request before this one still needs its answer, which must come first
      if (response.shouldKeepAlive) response.once('finish', () => this.#write(code, connection));
    } else if (inFlight && response.headersSent) {
      // the line has refused it already, for its head
      if (response.statusCode >= 400 && !response.shouldKeepAlive) response.end();
      else connection.destroy();
    } else {
      this.#write(code, connection);
    }
  }

  #write(code: ErrorCode, connection: Duplex): void {
    if (!connection.writable) {
      connection.destroy();
      return;
    }
    endWithAnswer(connection, this.ports.answer(code, connection));
  }
}
