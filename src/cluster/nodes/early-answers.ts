import type { ClientRequest, Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** Bytes that come before anything is asked would answer the next request, of another client. */
function endConnection(this: Socket): void {
  this.destroy();
}

/** Ends connections on which a node says something between two requests. */
export function endOnEarlyAnswers(agent: HttpAgent | HttpsAgent): void {
  agent.on('free', (socket: Socket) => socket.on('data', endConnection));
}

/** What comes from now on answers this request. */
export function expectAnswer(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => socket.off('data', endConnection));
}
