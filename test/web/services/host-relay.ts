import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of the answer to a record of the terminal. */
export type RelayFault = 'cut' | 'silent' | 'faulty' | 'locked';

/** The attention identifier of PF3, by which the pool of a test leads its sessions home whenever it gets to it. */
const PF3 = 0xf3;
/** IAC NOP (RFC 854). */
const NO_OPERATION = Buffer.from('fff1', 'hex');
const END_OF_RECORD = Buffer.from('ffef', 'hex');
/** 3270 data, a Write that restores the keyboard, and an order that points past the end of the screen: X PROG. */
const FAULTY_RECORD = Buffer.from('0000000000f1c3117f7fffef', 'hex');
/** A Write that leaves the keyboard locked. */
const LOCKED_RECORD = Buffer.from('0000000000f1c0ffef', 'hex');

/** Stands between a terminal and its host, and spoils the answer to one of the records that the terminal sends. */
export class HostRelay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #fault: RelayFault | undefined;
  #left = 0;
  /** Telnet commands of terminals that ask for nothing. */
  noOperations = 0;
  /** Records of terminals that have gone to the host. */
  records = 0;
  /** Attention identifiers of those records. */
  readonly pressed: number[] = [];

  constructor(hostPort: number) {
    this.#server = createServer((terminal) => this.#relay(terminal, connect(hostPort, '127.0.0.1')));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Spoils the answer to the record that is the next but so many; the way home does not count. */
  arm(fault: RelayFault, after: number): void {
    this.#fault = fault;
    this.#left = after;
  }

  /** Terminals that are connected. */
  get connections(): number {
    return this.#sockets.size / 2;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(terminal: Socket, host: Socket): void {
    let isSpoilt = false;
    for (const socket of [terminal, host]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        terminal.destroy();
        host.destroy();
        this.#sockets.delete(socket);
      });
    }
    host.on('data', (chunk) => {
      if (!isSpoilt) terminal.write(chunk);
    });
    terminal.on('data', (chunk) => {
      if (chunk.equals(NO_OPERATION)) this.noOperations++;
      const isRecord = chunk[0] === 0x00 && chunk.includes(END_OF_RECORD);
      if (isRecord) {
        this.records++;
        // behind the TN3270E header
        this.pressed.push(chunk[5] ?? 0);
      }
      if (isRecord && chunk[5] !== PF3 && this.#fault !== undefined && this.#left-- === 0) {
        const fault = this.#fault;
        this.#fault = undefined;
        isSpoilt = true;
        if (fault === 'cut') terminal.destroy();
        if (fault === 'faulty') terminal.write(FAULTY_RECORD);
        if (fault === 'locked') terminal.write(LOCKED_RECORD);
        return;
      }
      host.write(chunk);
    });
  }
}
