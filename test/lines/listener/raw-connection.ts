import { connect, type Socket } from 'node:net';

/** A connection on which a test writes bytes as it likes, and reads what comes back. */
export class RawConnection {
  #received = '';
  #closed = false;
  readonly #waiters = new Set<() => void>();

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1');
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  static open(port: number, host = '127.0.0.1', localAddress?: string): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  /** Resolves when the bytes are with the operating system, so that what is sent next is a segment of its own. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => setImmediate(resolve));
    });
  }

  get text(): string {
    return this.#received;
  }

  /** Resolves when what was received satisfies the condition, rejects when the connection closes before. */
  async until(condition: (text: string) => boolean): Promise<string> {
    while (!condition(this.text)) {
      if (this.#closed)
        throw new Error(
          `closed after ${JSON.stringify(this.text.slice(0, 200))} … ${JSON.stringify(this.text.slice(-300))}`,
        );
      await this.#news();
    }
    return this.text;
  }

  /** All that came until the other side closed. */
  async untilClosed(): Promise<string> {
    while (!this.#closed) await this.#news();
    return this.text;
  }

  close(): void {
    this.socket.destroy();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}

/** Sends bytes and gives all that comes back until the other side closes. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const connection = await RawConnection.open(port);
  await connection.send(bytes);
  return connection.untilClosed();
}

/** Sends a head, and, behind its answer, what a server that reads no more would reset. @returns the answer */
export async function answerBeforeBody(port: number, head: string): Promise<string> {
  const connection = await RawConnection.open(port);
  connection.socket.allowHalfOpen = true;
  await connection.send(head);
  await connection.until((text) => text.includes('\r\n\r\n'));
  const part = Buffer.alloc(50_000, 'a');
  for (let round = 0; round < 20; round++) {
    await connection.send(part);
    // what was reset is told to who sends more
    await new Promise((resolve) => setImmediate(resolve));
  }
  connection.socket.end();
  const answer = await connection.untilClosed();
  if (connection.socket.errored !== null) throw connection.socket.errored;
  return answer;
}

/** The three-digit status of the first answer. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}
