import type { Duplex } from 'node:stream';
import type { HostServices } from './application.js';
import type { FaultSwitches } from './fault-switches.js';

const MOST_WAITING_BYTES = 1 << 20;
const DELAY_MILLISECONDS = 2_000;
const GARBAGE = Uint8Array.of(0x00, 0x00, 0x00, 0x00, 0x00, 0x99, 0x11, 0x7f, 0xff, 0xef);

interface TerminalOutputOptions {
  readonly services: Pick<HostServices, 'faults'>;
  readonly endMilliseconds: number;
}

export class TerminalOutput {
  readonly #stream: Duplex;
  readonly #faults: FaultSwitches;
  #delayed: Uint8Array[] | undefined;
  #delayedBytes = 0;
  readonly #endMilliseconds: number;
  readonly #full: () => void;
  #timer: NodeJS.Timeout | undefined;
  #ending = false;

  /** @param full called when the stream's buffer is full, until it has drained */
  constructor(stream: Duplex, { services, endMilliseconds }: TerminalOutputOptions, full: () => void) {
    this.#stream = stream;
    this.#faults = services.faults;
    this.#endMilliseconds = endMilliseconds;
    this.#full = full;
    stream.once('close', () => clearTimeout(this.#timer));
  }

  /** For negotiation and commands, to which only the fault `split` applies. */
  send(bytes: Uint8Array): void {
    if (this.#delayed === undefined) {
      this.#write(bytes);
      return;
    }
    this.#delayedBytes += bytes.length;
    if (this.#delayedBytes > MOST_WAITING_BYTES) this.#stream.destroy();
    else this.#delayed.push(bytes);
  }

  /** @param isData true for 3270 data; garbage is sent only before 3270 data */
  sendRecord(record: Uint8Array, isData = true): void {
    if (isData && this.#faults.delete('garbage')) this.send(GARBAGE);
    if (this.#faults.delete('disconnect')) {
      this.#write(record.subarray(0, Math.ceil(record.length / 2)));
      this.end();
      return;
    }
    if (this.#faults.has('delay') && this.#delayed === undefined) {
      this.#delayed = [];
      this.#timer = setTimeout(() => this.#flush(), DELAY_MILLISECONDS);
    }
    this.send(record);
  }

  end(): void {
    if (this.#ending) return;
    this.#ending = true;
    if (this.#delayed === undefined) this.#endStream();
  }

  /** Destroys the connection if the terminal does not close it in time. */
  #endStream(): void {
    if (this.#stream.destroyed) return;
    this.#stream.end();
    this.#timer = setTimeout(() => this.#stream.destroy(), this.#endMilliseconds);
  }

  #flush(): void {
    const waiting = this.#delayed ?? [];
    this.#delayed = undefined;
    this.#delayedBytes = 0;
    for (const bytes of waiting) this.#write(bytes);
    if (this.#ending) this.#endStream();
  }

  #write(bytes: Uint8Array): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    if (this.#stream.writableLength + bytes.length > MOST_WAITING_BYTES) {
      this.#stream.destroy();
    } else if (this.#faults.has('split')) {
      for (const byte of bytes) this.#stream.write(Uint8Array.of(byte));
    } else if (!this.#stream.write(bytes)) {
      this.#full();
    }
  }
}
