import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** A TCP server that keeps every request as the bytes that came, and answers with the bytes that a test gives. */
export class RawServer {
  /** Whole requests, head and body, as Latin-1. */
  readonly requests: string[] = [];
  /** Every connection there was. */
  readonly sockets: Socket[] = [];
  readonly #server: Server;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  /** @param answer called with each whole request */
  constructor(answer: (socket: Socket, request: string) => void) {
    this.#server = createServer((socket) => {
      this.sockets.push(socket);
      let received = '';
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1');
        const length = requestLength(received);
        if (length === undefined) return;
        const request = received.slice(0, length);
        received = received.slice(length);
        this.requests.push(request);
        answer(socket, request);
        for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve();
      });
    });
  }

  /** @param host undefined: every address of the machine */
  async listen(host: string | undefined = '127.0.0.1', port = 0): Promise<number> {
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  /** Resolves when that many requests have come. */
  async received(count: number): Promise<void> {
    if (this.requests.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Resolves when the client has no connection left. */
  async deserted(): Promise<void> {
    await Promise.all(this.sockets.map(closed));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Resolves when the socket is closed, however that came about. */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}

/** An HTTP/1.1 response with a Content-Length. */
export function response(body: string, head = 'HTTP/1.1 200 OK', ...headers: string[]): string {
  return [head, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

function requestLength(received: string): number | undefined {
  const head = received.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
  return received.length >= length ? length : undefined;
}
