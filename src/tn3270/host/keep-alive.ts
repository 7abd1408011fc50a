import { telnetCommands, telnetOptions } from '../telnet/telnet-codes.js';
import { encodeCommand, encodeNegotiation } from '../telnet/telnet-encoder.js';

export interface KeepAliveOptions {
  /** Time without traffic in either direction. */
  readonly milliseconds: number;
  /** NOP needs no answer. A timing mark is answered, so a dead connection is detected. */
  readonly by: 'noOperation' | 'timingMark';
}

/**
 * Sends data after a silence, so that firewalls do not drop the connection. Uses one timer, independent of the traffic.
 */
export class KeepAlive {
  readonly #options: KeepAliveOptions | undefined;
  readonly #send: (bytes: Uint8Array) => void;
  #lastTraffic = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeepAliveOptions | undefined, send: (bytes: Uint8Array) => void) {
    this.#options = options;
    this.#send = send;
  }

  start(): void {
    if (this.#options === undefined) return;
    this.traffic();
    // two checks per interval: a silence lasts at most one and a half intervals
    this.#timer = setInterval(() => this.#check(), this.#options.milliseconds / 2).unref();
  }

  traffic(): void {
    if (this.#options !== undefined) this.#lastTraffic = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { milliseconds = 0, by } = this.#options ?? {};
    if (performance.now() - this.#lastTraffic < milliseconds) return;
    const isMark = by === 'timingMark';
    this.#send(isMark ? encodeNegotiation('do', telnetOptions.timingMark) : encodeCommand(telnetCommands.noOperation));
  }
}
