import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientSite } from './client-site.js';

/**
 * Sends a text behind the head of an answer, a piece when the client has taken the one before; one that takes nothing for as long as
 * a request may take is cut off. Where the pieces end with an error the connection is cut: the client sees that the rest is missing.
 */
export function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>, { line, log }: ClientSite): void {
  response.setTimeout(line.limits.requestSeconds * 1_000, () => {
    if (response.writableLength > 0) response.destroy();
  });
  pipeline(Readable.from(pieces, { highWaterMark: 1 }), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.error({ err: error }, 'an answer could not be sent to its end');
  });
}
