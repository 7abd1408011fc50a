import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Refused connections that may wait for their answer to be read; more than these are cut off at once. */
const MOST_LINGERING = 64;
/** How long a connection is still read from after its last answer, so that no reset overtakes the answer. */
export const LINGER_MILLISECONDS = 1_000;

export interface ConnectionGateOptions {
  readonly limit: number;
  /** The bytes for a connection over the limit; undefined: it is cut off without any (TLS). */
  readonly refusal: (() => Buffer) | undefined;
  readonly onRefused: (socket: Socket) => void;
}

/** Counts the connections of a server and lets in no more than the limit. */
export class ConnectionGate {
  readonly #sockets = new Set<Socket>();
  readonly #lingering = new Set<Socket>();

  constructor(private readonly options: ConnectionGateOptions) {}

  get connections(): number {
    return this.#sockets.size;
  }

  /** Puts this gate before the listeners that the server has for `connection`. */
  guard(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.#sockets.size >= this.options.limit) {
        this.#refuse(socket);
        return;
      }
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      for (const listener of listeners) listener.call(server, socket);
    });
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const socket of this.#lingering) socket.destroy();
  }

  #refuse(socket: Socket): void {
    socket.on('error', () => {});
    this.options.onRefused(socket);
    if (this.options.refusal === undefined || this.#lingering.size >= MOST_LINGERING) {
      socket.destroy();
      return;
    }
    this.#lingering.add(socket);
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#lingering.delete(socket);
    });
    socket.resume();
    socket.end(this.options.refusal());
  }
}
