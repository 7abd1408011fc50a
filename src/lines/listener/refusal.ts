import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { ServiceError } from '../../lib/errors.js';

/** Whoever sends nothing for so long has stopped. */
const SILENCE_MILLISECONDS = 5_000;
const MOST_MILLISECONDS = 30_000;

/**
 * Reads and discards what still comes behind the last answer of a connection, so that no reset overtakes the answer. `end` is called
 * once: when all of it has come, the sender has stopped or gone, or has gone on for too long.
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
    // what came while the process stood still is read first
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

/** A complete answer made without the application: status, flat list of header names and values, body. */
interface Refusal {
  readonly status: number;
  /** The words after the status; undefined: the usual ones. */
  readonly reason?: string | undefined;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/**
 * Makes the answer to input that the line itself rejects, in the same form as all other errors. Provided by the edge.
 * `request` is undefined if no request could be parsed.
 */
export type MakeRefusal = (error: ServiceError, request: IncomingMessage | undefined) => Refusal;

/** The bytes of a refusal that also ends the connection (RFC 9112 section 4). */
export function refusalBytes({ status, headers, body }: Refusal): Buffer {
  let head = `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`, 'latin1'), body]);
}

/** Writes an answer that ends the connection, to a request whose body may be still coming. */
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

/** Ends a connection with bytes that answer it, whatever may be still coming. Its errors are for the caller to hear. */
export function endWithAnswer(connection: Duplex, bytes: Buffer): void {
  connection.end(bytes);
  readOn(connection, () => connection.destroy());
}

/** The usual words for a status, e.g. `Not Found`; empty if there are none. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? '';
}
