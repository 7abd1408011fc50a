import type { Readable, Writable } from 'node:stream';
import type { Framing } from './framing.js';

type Outgoing = Writable & { destroy(error?: Error): unknown };

/**
 * Sends a body as it comes, with as many bytes as the framing says. A body that ends earlier or later ends the connection, so that
 * the node behind it never takes the rest for a request.
 * @returns what has the rest left to others
 */
export function sendBody(incoming: Readable, outgoing: Outgoing, framing: Framing): () => void {
  const expected = framing === 'chunked' ? undefined : framing === 'none' ? 0 : framing;
  let sent = 0;
  const onData = (piece: Buffer) => {
    sent += piece.length;
    if (expected !== undefined && sent > expected) fail('the body is longer than its length');
  };
  const onEnd = () => {
    if (expected === undefined || sent === expected) outgoing.end();
    else fail('the body is shorter than its length');
  };
  const stop = () => {
    incoming.off('data', onData).off('end', onEnd).unpipe(outgoing);
  };
  const fail = (reason: string) => {
    stop();
    outgoing.destroy(new Error(reason));
  };
  incoming.on('data', onData).once('end', onEnd);
  incoming.pipe(outgoing, { end: false });
  return stop;
}
