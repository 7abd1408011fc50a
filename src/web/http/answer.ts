import type { ServerResponse } from 'node:http';
import type { ServiceError } from '../../lib/errors.js';

/** A whole answer to a request; the edge adds what every answer of the line has (`response-headers`). */
export interface Answer {
  readonly status: number;
  /** The words after the status; undefined: the usual ones. */
  readonly reason?: string | undefined;
  /** Flat list of header names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Names of headers that are written without a blank behind their colon: some clients take what follows as it is. */
  readonly tightHeaders?: ReadonlySet<string> | undefined;
  /** Inline scripts of the template of a page, which our own policies allow. */
  readonly inlineScripts?: ReadonlySet<string>;
  /** What goes on behind the head for as long as it likes, in place of the body; not for HEAD. */
  readonly stream?: ((response: ServerResponse) => void) | undefined;
  /** For the log: the error of a refusal that the router answers itself. */
  readonly refusal?: ServiceError;
  /** Another node has made it, with all that a line says in its answers. */
  readonly isComplete?: boolean;
  /** Called where the client has gone before all of it was written. */
  readonly whenLost?: (() => void) | undefined;
}

/** Bytes of body that go over the wire: none for HEAD and for 304. */
export function sentBytes({ status, body }: Answer, method: string | undefined): number {
  return method === 'HEAD' || status === 304 || status === 204 ? 0 : body.length;
}

/** A body of this length is copied into one write with its headers: a gathered write takes longer. */
const ONE_WRITE_BYTES = 16_384;

/**
 * Writes an answer, with the headers given in place of its own. A client that reads too slowly is cut off when nothing moves for `slowMilliseconds`.
 * Throws, with nothing sent, where a header is not sendable.
 */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  headers: string[],
  slowMilliseconds: number,
): void {
  const { status, reason, body } = answer;
  if (reason === undefined) response.writeHead(status, headers);
  else response.writeHead(status, reason, headers);
  if (answer.tightHeaders !== undefined && answer.tightHeaders.size > 0) tighten(response, answer.tightHeaders);
  if (answer.stream !== undefined) {
    response.flushHeaders();
    answer.stream(response);
    return;
  }
  if (body.length > ONE_WRITE_BYTES || response.chunkedEncoding) {
    response.end(body);
  } else {
    if (sentBytes(answer, response.req.method) > 0) appendToHead(response, body);
    response.end();
  }
  if (response.writableLength > 0) response.setTimeout(slowMilliseconds, () => response.destroy());
}

/** What `writeHead` has made and nothing has sent yet, one character for each byte. Node has no other way to it; tests look at the bytes. */
interface MadeHead {
  _header: string;
}

/** The body goes out with the head: `end` would make a second, gathered piece of it. */
function appendToHead(response: ServerResponse, body: Buffer): void {
  const made = response as unknown as MadeHead;
  made._header += body.toString('latin1');
}

/** Takes out the blank that Node always writes (RFC 9110, section 5.5: it is optional). */
function tighten(response: ServerResponse, names: ReadonlySet<string>): void {
  const made = response as unknown as MadeHead;
  for (const name of names) made._header = made._header.replace(`\r\n${name}: `, () => `\r\n${name}:`);
}
