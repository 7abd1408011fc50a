import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../lib/errors.js';
import { LINGER_MILLISECONDS } from './connection-gate.js';
import { endWithAnswer } from './refusal.js';

/** Follows an overlong line, packet by packet, until its end says whether it was the request line. */
class OverlongLine {
  #tail = '';
  #bytes = 0;

  /** @param mostBytes of the line that are looked at; a line that is longer still is taken for a URL */
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

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** How much of the packet was taken before the fault. */
  readonly bytesParsed?: number;
  /** The packet with the fault, not the ones before it. */
  readonly rawPacket?: Buffer;
}

/** `undecided`: depends on the rest of the overlong line; `tls`: TLS on a line without it; `gone`: the client has disconnected. */
type UnparsedRequest = ErrorCode | 'undecided' | 'tls' | 'gone';

const codesOfParserErrors: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'SVC_ERR_REQUEST_SLOW',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'SVC_ERR_REQUEST_BODY_SIZE',
};

const TLS_HANDSHAKE_RECORD = 0x16;
const TLS_MAJOR_VERSION = 0x03;

/** Why the parser refused its input. */
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
 * URL or headers? The parser counts both together and only shows its last packet, in which the request line may begin,
 * go on, end, or be long over.
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
