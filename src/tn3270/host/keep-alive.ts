import { telnetCommands, telnetOptions } from '../telnet/telnet-codes.js';
import { encodeCommand, encodeNegotiation } from '../telnet/telnet-encoder.js';

export interface KeepAliveOptions {
  /** How long nothing may go either way. */
  readonly milliseconds: number;
  /** NOP asks for nothing; a timing mark is answered, so a connection that is dead shows. */
  readonly by: 'noOperation' | 'timingMark';
}

/** Sends something after a silence, that no firewall takes the connection for dead. One timer, whatever the traffic. */
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
    // looked at twice within the time, so that a silence is at most half as long again
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
