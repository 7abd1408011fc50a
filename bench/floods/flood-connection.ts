import { connect, type Socket } from 'node:net';

export const ATTACKER = '127.0.0.2';
const PIECE_BYTES = 16_384;

interface Flood {
  readonly port: number;
  readonly begin?: Buffer;
  readonly repeated: string | Buffer;
  readonly sent: (count: number) => void;
  readonly received: (bytes: number) => void;
  readonly isOver: () => boolean;
}

/** Sends as fast as the server reads, and reads every answer. Reconnects after a disconnect. */
export class FloodConnection {
  readonly #flood: Flood;
  readonly #piece: Buffer;
  readonly #inPiece: number;
  #socket: Socket | undefined;

  constructor(flood: Flood) {
    this.#flood = flood;
    const one = Buffer.from(flood.repeated);
    this.#inPiece = Math.max(1, Math.floor(PIECE_BYTES / one.length));
    this.#piece = Buffer.concat(new Array<Buffer>(this.#inPiece).fill(one));
    this.#connect();
  }

  end(): void {
    this.#socket?.destroy();
  }

  #connect(): void {
    const { port, begin, received, isOver } = this.#flood;
    const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER, noDelay: true });
    this.#socket = socket;
    socket.on('data', (chunk) => received(chunk.length));
    socket.on('error', () => {});
    socket.once('close', () => {
      if (!isOver()) setTimeout(() => isOver() || this.#connect(), 5);
    });
    socket.once('connect', () => {
      if (begin !== undefined) socket.write(begin);
      this.#send(socket);
    });
    socket.on('drain', () => this.#send(socket));
  }

  #send(socket: Socket): void {
    while (socket.writable && !this.#flood.isOver()) {
      this.#flood.sent(this.#inPiece);
      if (!socket.write(this.#piece)) return;
    }
  }
}

/** Repeats: opens a connection, sends the bytes once, and waits for the first bytes of the answer. */
export function repeatConnection({ port, repeated, sent, received, isOver }: Flood): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER, noDelay: true });
  const timer = setTimeout(() => socket.destroy(), 2_000);
  socket.once('connect', () => {
    sent(1);
    socket.write(repeated);
  });
  socket.once('data', (chunk) => {
    received(chunk.length);
    socket.resetAndDestroy();
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    clearTimeout(timer);
    if (!isOver()) setImmediate(() => repeatConnection({ port, repeated, sent, received, isOver }));
  });
}
