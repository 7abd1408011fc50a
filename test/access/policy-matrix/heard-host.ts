import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';

/** A simulated host at its menu, and everything that terminals have sent to it. */
export class HeardHost {
  readonly #host: SimulatedHost;
  readonly #relay: Server;
  readonly #sockets = new Set<Socket>();
  readonly #heard: Buffer[] = [];
  readonly #encode: (text: string) => Uint8Array;

  private constructor() {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    this.#encode = (text) => codePage.encode(text);
    this.#host = new SimulatedHost({ codePage, users: {}, start: 'MENU' });
    this.#relay = createServer();
  }

  static async listen(): Promise<{ readonly host: HeardHost; readonly port: number }> {
    const host = new HeardHost();
    const { port: hidden } = await host.#host.listen({ host: '127.0.0.1', port: 0 });
    host.#relay.on('connection', (terminal: Socket) => host.#pass(terminal, connect(hidden, '127.0.0.1')));
    await new Promise<void>((resolve) => {
      host.#relay.listen(0, '127.0.0.1', resolve);
    });
    return { host, port: (host.#relay.address() as AddressInfo).port };
  }

  /** Whether any terminal has sent this text. */
  heard(text: string): boolean {
    return Buffer.concat(this.#heard).includes(Buffer.from(this.#encode(text)));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#relay.close(resolve));
    await this.#host.close();
  }

  #pass(terminal: Socket, host: Socket): void {
    for (const socket of [terminal, host]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        terminal.destroy();
        host.destroy();
      });
    }
    // files are not looked for in
    terminal.on('data', (chunk) => {
      if (chunk.length < 1_000) this.#heard.push(chunk);
    });
    terminal.pipe(host);
    host.pipe(terminal);
  }
}
