import type { ErrorCode } from '../../lib/errors.js';

/** An error of Node's HTTP parser. */
export interface ParserError extends Error {
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
export function classifyUnparsedRequest(error: ParserError, urlBytes: number): UnparsedRequest {
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

/** Follows an overlong line, packet by packet, until its end says whether it was the request line. */
export class OverlongLine {
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
