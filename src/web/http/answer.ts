import type { ServerResponse } from 'node:http';
import type { ServiceError } from '../../lib/errors.js';

export interface Answer {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Headers written without a blank after the colon, for clients that do not trim the value. */
  readonly tightHeaders?: ReadonlySet<string> | undefined;
  readonly inlineScripts?: ReadonlySet<string>;
  /** Streams the body after the head; not called for HEAD. */
  readonly stream?: ((response: ServerResponse) => void) | undefined;
  /** For the log: the error of a refusal that the router answers itself. */
  readonly refusal?: ServiceError;
  /** True if another node has made the answer, including the line's headers. */
  readonly isComplete?: boolean;
  /** Called if the client disconnects before the whole answer is written. */
  readonly whenLost?: (() => void) | undefined;
}

/** Zero for HEAD, 204 and 304. */
export function sentBytes({ status, body }: Answer, method: string | undefined): number {
  return method === 'HEAD' || status === 304 || status === 204 ? 0 : body.length;
}

/** Bodies up to this length are copied into one write with the head, which is faster than a gathered write. */
const ONE_WRITE_BYTES = 16_384;

/**
 * Writes an answer, with `headers` in place of its own. Closes the connection of a slow client if nothing moves for
 * `slowMilliseconds`. Throws before sending anything if a header is invalid.
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

/**
 * Node's unsent head after `writeHead`, one character per byte. This is an internal field of Node; tests check the
 * bytes.
 */
interface MadeHead {
  _header: string;
}

function appendToHead(response: ServerResponse, body: Buffer): void {
  const made = response as unknown as MadeHead;
  made._header += body.toString('latin1');
}

/** Removes the blank that Node always writes (optional in RFC 9110, section 5.5). */
function tighten(response: ServerResponse, names: ReadonlySet<string>): void {
  const made = response as unknown as MadeHead;
  for (const name of names) made._header = made._header.replace(`\r\n${name}: `, () => `\r\n${name}:`);
}
