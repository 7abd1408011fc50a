import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Says when the client has gone before all of its answer was written. Node takes a response for finished whose last bytes the
 * connection refused: only the connection knows of it.
 *
 * @param isAbandoned it has gone before anything was
 */
export function watchDelivery(
  { socket }: IncomingMessage,
  response: ServerResponse,
  isAbandoned: boolean,
  whenLost: () => void,
): void {
  if (isAbandoned) {
    whenLost();
    return;
  }
  const over = () => {
    // a response that waited behind another one is not told that the connection has closed
    socket.off('close', over);
    response.off('close', over);
    if (!response.writableFinished || socket.errored !== null) whenLost();
  };
  socket.once('close', over);
  response.once('close', over);
}
