import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { ServiceError } from '../../lib/errors.js';

/** A sender that is silent for this long counts as finished. */
const SILENCE_MILLISECONDS = 5_000;
const MOST_MILLISECONDS = 30_000;

/**
 * Reads and discards input after the last response of a connection, so that a TCP reset does not discard the response.
 * `end` is called once: after the end of the input, a disconnection, a silence, or too much time.
 */
function readOn(stream: Readable, end: () => void): void {
  let isOver = false;
  let heard = false;
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    clearTimeout(most);
    end();
  };
  const silence = setTimeout(() => {
    heard = false;
    // reads first what arrived while the process was blocked
    setImmediate(() => heard || finish());
  }, SILENCE_MILLISECONDS);
  const most = setTimeout(finish, MOST_MILLISECONDS);
  stream.on('data', () => {
    heard = true;
    if (!isOver) silence.refresh();
  });
  stream.once('close', finish);
  stream.resume();
}

/** A complete response made without the application. `headers` alternates names and values. */
interface Refusal {
  readonly status: number;
  /** Reason phrase; undefined: the standard one. */
  readonly reason?: string | undefined;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/**
 * Creates the response to input that the line itself rejects, in the common error format. `request` is undefined if no
 * request could be parsed.
 */
export type MakeRefusal = (error: ServiceError, request: IncomingMessage | undefined) => Refusal;

/** Bytes of a rejection that also ends the connection (RFC 9112 section 4). */
export function refusalBytes({ status, headers, body }: Refusal): Buffer {
  let head = `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`, 'latin1'), body]);
}

export function writeLastAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason = reasonPhrase(status), headers, body }: Refusal,
): void {
  response.writeHead(status, reason, [...headers, 'Connection', 'close']);
  if (request.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  readOn(request, () => response.end());
}

/** Ends a connection with a response; input may still be arriving. The caller must handle its errors. */
export function endWithAnswer(connection: Duplex, bytes: Buffer): void {
  connection.end(bytes);
  readOn(connection, () => connection.destroy());
}

export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? '';
}
