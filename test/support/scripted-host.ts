import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { eventually } from './eventually.js';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** DO TN3270E, the device, and functions BIND-IMAGE, RESPONSES and SYSREQ. */
export const AGREEMENT =
  'fffd28 fffa280802fff0 fffa280204 49424d2d333237382d322d45 01 54455354 fff0 fffa2803 04 000204 fff0';
/** A BIND with 24 x 80 and 24 x 80. */
export const BIND = '0300000000 31010303b1903080008787f88700028000000000 18501850 7f 0000 00 ffef';

export class ScriptedHost {
  readonly #server: Server;
  readonly sockets: Socket[] = [];
  received = Buffer.alloc(0);

  constructor() {
    this.#server = createServer((socket) => {
      this.sockets.push(socket);
      socket.on('data', (chunk) => {
        this.received = Buffer.concat([this.received, chunk]);
      });
      socket.on('error', () => undefined);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async connected(): Promise<Socket> {
    return eventually(() => this.sockets.at(-1));
  }

  /** @param text hexadecimal with optional blanks */
  async send(text: string): Promise<void> {
    (await this.connected()).write(bytes(text));
  }

  /** Waits until the received data contains or ends with a text. */
  async hears(text: string): Promise<void> {
    await eventually(() => (this.received.includes(bytes(text)) ? true : undefined));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
