import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const END_OF_RECORD = Buffer.from('ffef', 'hex');

export class RelayedHost {
  /** Hexadecimal, with the end of the record, and with negotiation that came in the same chunk. */
  readonly records: string[] = [];
  readonly #server: Server;
  readonly #sockets: Socket[] = [];

  constructor(port: number, changed: (record: string) => string = (record) => record) {
    this.#server = createServer((terminal) => {
      const host = connect({ host: '127.0.0.1', port });
      this.#sockets.push(terminal, host);
      let waiting = Buffer.alloc(0);
      terminal.on('data', (chunk) => host.write(chunk));
      host.on('data', (chunk) => {
        waiting = Buffer.concat([waiting, chunk]);
        for (;;) {
          const end = waiting.indexOf(END_OF_RECORD);
          if (end < 0) break;
          const record = waiting.toString('hex', 0, end + 2);
          waiting = waiting.subarray(end + 2);
          this.records.push(record);
          terminal.write(Buffer.from(changed(record), 'hex'));
        }
        // negotiation has no end of record
        if (/^(fff[b-e]..|fffa(?:(?!fff0).)*fff0)*$/.test(waiting.toString('hex'))) {
          terminal.write(waiting);
          waiting = Buffer.alloc(0);
        }
      });
      for (const [socket, other] of [
        [terminal, host],
        [host, terminal],
      ] as const) {
        socket.on('error', () => undefined);
        socket.on('close', () => other.destroy());
      }
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
