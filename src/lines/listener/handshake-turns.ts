import type { Socket } from 'node:net';
import { FairTurns, type Peer } from '../../lib/turns/fair-turns.js';

/**
 * Begins TLS on a connection in the turn of its client. A handshake takes a millisecond of the processor, and a client can
 * cause it with bytes that it has recorded once.
 */
export function handshakeInTurn(client: Peer, socket: Socket, begin: () => void): void {
  const turns = FairTurns.ofClients;
  turns.start(client, () => {
    if (socket.destroyed) return true;
    socket.once('close', turns.underWay(client));
    begin();
    return true;
  });
}
