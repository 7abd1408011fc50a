import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../lib/errors.js';
import { LINGER_MILLISECONDS } from './connection-gate.js';
import { endWithAnswer } from './refusal.js';

/** Reads an overlong line packet by packet, until its end shows whether it was the request line. */
class OverlongLine {
  #tail = '';
  #bytes = 0;

  /** @param mostBytes maximum length; a longer line counts as a URL */
  constructor(private readonly mostBytes: number) {}

  next(packet: Buffer): ErrorCode | 'undecided' {
    const text = this.#tail + packet.toString('latin1');
    const lineFeed = text.indexOf('\n');
    if (lineFeed >= 0) {
      return endsRequestLine(text.slice(0, lineFeed)) ? 'SVC_ERR_REQUEST_URL_LENGTH' : 'SVC_ERR_REQUEST_HEADER_SIZE';
    }
    this.#bytes += packet.length;
    this.#tail = text.slice(-16);
    return this.#bytes > this.mostBytes ? 'SVC_ERR_REQUEST_URL_LENGTH' : 'undecided';
  }
}

/** Maximum length of an overlong line that is read to its end. */
const MOST_FOLLOWED_BYTES = 1_048_576;

interface UnparsedRequestPorts {
  readonly urlBytes: number;
  readonly answer: (code: ErrorCode, connection: Duplex) => Buffer;
  readonly onTlsBytes: (connection: Duplex) => void;
  readonly latestResponse: (connection: Duplex) => ServerResponse | undefined;
  /** Called after the response; further input on this connection is ignored. */
  readonly onAnswered: (connection: Duplex) => void;
}

/**
 * Responds to input that the HTTP parser rejected (`clientError`). Node reports every packet after the first error
 * again. Therefore a connection receives only one response. Input is then read for a while, so that a TCP reset does
 * not discard the response, and the connection is closed.
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
      // the response to an earlier complete request must come first
      if (response.shouldKeepAlive) response.once('finish', () => this.#write(code, connection));
    } else if (inFlight && response.headersSent) {
      // the line has already rejected the head of this request
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

interface ParserError extends Error {
  readonly code?: string;
  /** Bytes of the packet parsed before the error. */
  readonly bytesParsed?: number;
  /** Only the packet with the error. */
  readonly rawPacket?: Buffer;
}

/**
 * `undecided`: depends on the rest of the overlong line; `tls`: TLS on a line without it; `gone`: client disconnected.
 */
type UnparsedRequest = ErrorCode | 'undecided' | 'tls' | 'gone';

const codesOfParserErrors: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'SVC_ERR_REQUEST_SLOW',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'SVC_ERR_REQUEST_BODY_SIZE',
};

const TLS_HANDSHAKE_RECORD = 0x16;
const TLS_MAJOR_VERSION = 0x03;

function classifyUnparsedRequest(error: ParserError, urlBytes: number): UnparsedRequest {
  const { code = '', rawPacket, bytesParsed = 0 } = error;
  const known = codesOfParserErrors[code];
  if (known !== undefined) return known;
  if (code === 'HPE_HEADER_OVERFLOW')
    return overflowingPart(rawPacket?.toString('latin1') ?? '', bytesParsed, urlBytes);
  if (!code.startsWith('HPE_')) return 'gone';
  if (rawPacket?.[0] === TLS_HANDSHAKE_RECORD && rawPacket[1] === TLS_MAJOR_VERSION) return 'tls';
  return 'SVC_ERR_REQUEST_SYNTAX';
}

/**
 * Decides whether URL or headers are too long. The parser counts both together and only provides its last packet, in
 * which the request line may begin, continue or end, or which may follow it.
 */
function overflowingPart(packet: string, bytesParsed: number, urlBytes: number): UnparsedRequest {
  const endOfMessageBefore = packet.lastIndexOf('\r\n\r\n', Math.max(0, bytesParsed - 4));
  const start = endOfMessageBefore < 0 ? 0 : endOfMessageBefore + 4;
  const lineFeed = packet.indexOf('\n', start);
  const firstLine = packet.slice(start, lineFeed < 0 ? undefined : lineFeed);
  const method = /^[A-Z-]{1,32} (?=\S)/.exec(firstLine);
  if (method !== null) {
    const target = firstLine.slice(method[0].length).replace(/ HTTP\/\d\.\d\r?$/, '');
    return target.length > urlBytes ? 'SVC_ERR_REQUEST_URL_LENGTH' : 'SVC_ERR_REQUEST_HEADER_SIZE';
  }
  if (lineFeed < 0) return 'undecided';
  return bytesParsed <= lineFeed && endsRequestLine(firstLine)
    ? 'SVC_ERR_REQUEST_URL_LENGTH'
    : 'SVC_ERR_REQUEST_HEADER_SIZE';
}

function endsRequestLine(line: string): boolean {
  return / HTTP\/\d\.\d\r?$/.test(line.slice(-12));
}
