import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TelnetDecoder } from '../../../src/tn3270/telnet/telnet-decoder.js';
import { eventually } from '../../support/eventually.js';

/** Lines of a trace of x3270 that carry data: who sent it, where in its transfer it stands, and the bytes. */
const TRANSFER = /^([<>]) 0x([0-9a-f]+)\s+([0-9a-f]+)\s*$/;
const DO_TIMING_MARK = Buffer.from('fffd06', 'hex');
const TIMING_MARK_ANSWERS = ['fffb06', 'fffc06'].map((bytes) => Buffer.from(bytes, 'hex'));

/** The host's side of a recorded session, behind a real socket. What the terminal says is read, and waited for, but not insisted on. */
export class RecordedHost {
  readonly #transfers: readonly Buffer[];
  readonly #server: Server;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #marks = 0;
  #records = 0;
  readonly #decoder = new TelnetDecoder({
    record: () => {
      this.#records++;
    },
    data: () => undefined,
    negotiation: () => undefined,
    subnegotiation: () => undefined,
    command: () => undefined,
    tooLong: () => undefined,
  });

  constructor(file: string) {
    this.#transfers = hostTransfers(readFileSync(file, 'utf8'));
    this.#decoder.gathersRecords = true;
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.#socket = socket;
      socket.on('data', (chunk) => {
        this.#received = Buffer.concat([this.#received, chunk]);
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

  /**
   * Resolves when the terminal has carried out all of it.
   * @param taken is told each time the terminal has carried out so many records
   */
  async play(taken: (records: number) => Promise<void>): Promise<void> {
    const socket = await eventually(() => this.#socket);
    for (const bytes of this.#transfers) {
      socket.write(bytes);
      const before = this.#records;
      this.#decoder.feed(bytes);
      if (this.#records === before) continue;
      await this.#isCarriedOut(socket);
      await taken(this.#records);
    }
    await this.#isCarriedOut(socket);
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A timing mark is answered when all that came before it is done (RFC 860). */
  async #isCarriedOut(socket: Socket): Promise<void> {
    const wanted = ++this.#marks;
    socket.write(DO_TIMING_MARK);
    await eventually(() => (marksIn(this.#received) >= wanted || socket.destroyed ? true : undefined));
  }
}

/** What the host sent, cut where the terminal said something in between. */
function hostTransfers(trace: string): readonly Buffer[] {
  const transfers: { readonly way: string; readonly chunks: Buffer[] }[] = [];
  for (const line of trace.split('\n')) {
    const [, way = '', offset, data = ''] = TRANSFER.exec(line) ?? [];
    if (offset === undefined) continue;
    const last = transfers.at(-1);
    if (Number.parseInt(offset, 16) > 0 && last?.way === way) last.chunks.push(Buffer.from(data, 'hex'));
    else transfers.push({ way, chunks: [Buffer.from(data, 'hex')] });
  }
  return transfers.filter(({ way }) => way === '<').map(({ chunks }) => Buffer.concat(chunks));
}

function marksIn(received: Buffer): number {
  let count = 0;
  for (const answer of TIMING_MARK_ANSWERS) {
    for (let at = received.indexOf(answer); at >= 0; at = received.indexOf(answer, at + 1)) count++;
  }
  return count;
}
