import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Refused connections that may wait for their answer to be read; more than these are cut off at once. */
const MOST_LINGERING = 64;
/** How long a connection is still read from after its last answer, so that no reset overtakes the answer. */
export const LINGER_MILLISECONDS = 1_000;

interface ConnectionGateOptions {
  readonly limit: number;
  readonly limitPerAddress: number;
  /** What counts as one address; undefined: the connection is one of many clients, and has the limit of the line alone. */
  readonly clientOf: (socket: Socket) => string | undefined;
  /** The bytes for a connection over the limit; undefined: it is cut off without any (TLS). */
  readonly refusal: (() => Buffer) | undefined;
  /** Begins to read a connection; undefined: at once. */
  readonly begin: ((client: string | Socket, socket: Socket, begin: () => void) => void) | undefined;
  readonly onRefused: (socket: Socket, whose: 'line' | 'address') => void;
}

/** Counts the connections of a server, in all and by address, and lets in no more than the limits. */
export class ConnectionGate {
  readonly #sockets = new Set<Socket>();
  readonly #perClient = new Map<string, number>();
  readonly #lingering = new Set<Socket>();
  #seen = 0;

  constructor(private readonly options: ConnectionGateOptions) {}

  get connections(): number {
    return this.#sockets.size;
  }

  /** Connections since the beginning, refused ones too. */
  get seen(): number {
    return this.#seen;
  }

  /** Puts this gate before the listeners that the server has for `connection`. */
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
