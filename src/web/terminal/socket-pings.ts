import type { WebSocket } from 'ws';

/** In which a round pings all sockets: all of them at once would hold up everything else. */
const PARTS = 30;

/** Pings each socket once a round, and cuts off who has not answered since the round before. */
export class SocketPings {
  readonly #sockets: ReadonlySet<WebSocket>;
  readonly #roundMilliseconds: number;
  /** When a ping was sent that is not answered. */
  readonly #unanswered = new WeakMap<WebSocket, number>();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #round: Iterator<WebSocket> | undefined;
  #part = 0;

  constructor(sockets: ReadonlySet<WebSocket>, roundMilliseconds: number) {
    this.#sockets = sockets;
    this.#roundMilliseconds = roundMilliseconds;
  }

  /** Looks after a socket of the set. */
  watch(socket: WebSocket): void {
    socket.on('pong', () => this.#unanswered.delete(socket));
    this.#timer ??= setInterval(() => this.#tick(), this.#roundMilliseconds / PARTS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#ticks++ % PARTS === 0) {
      this.#round = this.#sockets.values();
      this.#part = Math.ceil(this.#sockets.size / PARTS);
    }
    for (let done = 0; done < this.#part; done++) {
      const next = this.#round?.next();
      if (next === undefined || next.done === true) return;
      this.#ping(next.value);
    }
  }

  #ping(socket: WebSocket): void {
    const since = this.#unanswered.get(socket);
    if (since === undefined) {
      this.#unanswered.set(socket, performance.now());
      socket.ping();
    } else if (performance.now() - since >= this.#roundMilliseconds / 2) {
      // less would be a socket whose turn has come early, because others before it have gone
      socket.terminate();
    }
  }
}
