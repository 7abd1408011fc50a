import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Rejected connections that stay open until their response is read; further ones are closed at once. */
const MOST_LINGERING = 64;
/** Time for which input is still read after the last response, so that a TCP reset does not discard the response. */
export const LINGER_MILLISECONDS = 1_000;

interface ConnectionGateOptions {
  readonly limit: number;
  readonly limitPerAddress: number;
  /**
   * Key for the limit per address; undefined for a connection of many clients, which has only the limit of the line.
   */
  readonly clientOf: (socket: Socket) => string | undefined;
  /** Response to a connection over the limit; undefined: the connection is closed without response (TLS). */
  readonly refusal: (() => Buffer) | undefined;
  readonly begin: ((client: string | Socket, socket: Socket, begin: () => void) => void) | undefined;
  readonly onRefused: (socket: Socket, whose: 'line' | 'address') => void;
}

export class ConnectionGate {
  readonly #sockets = new Set<Socket>();
  readonly #perClient = new Map<string, number>();
  readonly #lingering = new Set<Socket>();
  #seen = 0;

  constructor(private readonly options: ConnectionGateOptions) {}

  get connections(): number {
    return this.#sockets.size;
  }

  /** Accepted and rejected connections since the start. */
  get seen(): number {
    return this.#seen;
  }

  /** Inserts the gate before the current `connection` listeners of the server. */
  guard(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      this.#seen++;
      const client = this.options.clientOf(socket);
      const full = this.#isFullFor(client);
      if (full !== undefined) {
        this.#refuse(socket, full);
        return;
      }
      this.#admit(socket, client);
      const begin = () => {
        for (const listener of listeners) listener.call(server, socket);
      };
      if (this.options.begin === undefined) begin();
      else this.options.begin(client ?? socket, socket, begin);
    });
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const socket of this.#lingering) socket.destroy();
  }

  #isFullFor(client: string | undefined): 'line' | 'address' | undefined {
    if (this.#sockets.size >= this.options.limit) return 'line';
    if (client === undefined) return undefined;
    return (this.#perClient.get(client) ?? 0) >= this.options.limitPerAddress ? 'address' : undefined;
  }

  #admit(socket: Socket, client: string | undefined): void {
    this.#sockets.add(socket);
    if (client !== undefined) this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + 1);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (client === undefined) return;
      const left = (this.#perClient.get(client) ?? 1) - 1;
      if (left === 0) this.#perClient.delete(client);
      else this.#perClient.set(client, left);
    });
  }

  #refuse(socket: Socket, whose: 'line' | 'address'): void {
    socket.on('error', () => {});
    this.options.onRefused(socket, whose);
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
