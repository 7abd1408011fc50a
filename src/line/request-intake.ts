import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests of a connection that wait for their answers; the next one is not read before one of them is answered. */
export const MOST_UNANSWERED = 64;
/** Requests of a connection served at a time; the others wait and are not started. */
export const MOST_SERVED_AT_A_TIME = 8;

const HEAD_END = '\r\n\r\n';
/** `GET / HTTP/1.1` and HEAD_END. */
const SHORTEST_HEAD_BYTES = 18;

type Feed = (bytes: Buffer) => void;

/**
 * Limits the requests of a connection whose answers are not read yet. Sits between the connection and Node's parser, which
 * would start every request of a packet, some 3,600, before checking how many are waiting: the parser gets one at a time.
 * At the limit, reading pauses until the client reads its answers, so that pipelining clients lose nothing.
 */
export class RequestIntake {
  /** Begun last on the connection. */
  latestResponse: ServerResponse | undefined;
  /** When the connection was opened (`performance.now()`). */
  readonly openSince = performance.now();
  readonly #waiting: (() => void)[] = [];
  #unanswered = 0;
  #served = 0;
  #feed: Feed | undefined;
  #unread: Buffer = Buffer.alloc(0);
  /** Paused by us; Node pauses connections for reasons of its own. */
  #holds = false;
  #idleSince: number | undefined;

  constructor(private readonly connection: Duplex) {
    const parser = connection.listeners('data') as Feed[];
    connection.removeAllListeners('data');
    this.#feed = (bytes) => {
      for (const listener of parser) listener.call(connection, bytes);
    };
    connection.on('data', this.#onData);
    connection.on('drain', this.#goOn);
  }

  /** Since when there has been neither a request nor the start of one (`performance.now()`); undefined before the first answer. */
  get idleSince(): number | undefined {
    return this.#idleSince;
  }

  /** Takes a request; `serve` is called when it is its turn. */
  take(response: ServerResponse, serve: () => void): void {
    this.latestResponse = response;
    this.#idleSince = undefined;
    this.#unanswered++;
    response.on('close', this.#answered);
    if (this.#served < MOST_SERVED_AT_A_TIME) this.#serve(serve);
    else this.#waiting.push(serve);
  }

  /** Hands the connection to another protocol. @returns the bytes already read for it */
  release(): Buffer {
    const unread = this.#unread;
    this.#detach();
    return unread;
  }

  /** Reads and discards: the input can no longer be parsed. */
  ignoreRest(): void {
    this.#detach();
    this.connection.resume();
  }

  #detach(): void {
    this.#feed = undefined;
    this.#unread = Buffer.alloc(0);
    this.connection.off('data', this.#onData);
    this.connection.off('drain', this.#goOn);
  }

  #serve(serve: () => void): void {
    this.#served++;
    serve();
  }

  /** Once for each response: Node emits `close` once. */
  readonly #answered = (): void => {
    this.#unanswered--;
    this.#served--;
    if (this.#unanswered === 0) this.#idleSince = performance.now();
    // nobody waits for them if the client has disconnected
    const next = this.connection.destroyed ? undefined : this.#waiting.shift();
    if (next !== undefined) this.#serve(next);
    this.#goOn();
  };

  readonly #onData = (packet: Buffer): void => {
    for (let from = 0; from < packet.length; ) {
      this.#holdIfFull();
      if (this.connection.isPaused()) {
        this.connection.unshift(packet.subarray(from));
        return;
      }
      const end = endOfPortion(packet, from);
      this.#unread = packet.subarray(end);
      const portion = from === 0 && end === packet.length ? packet : packet.subarray(from, end);
      if (this.#idleSince !== undefined && !isBlank(portion)) this.#idleSince = undefined;
      this.#feed?.(portion);
      if (this.#feed === undefined) return;
      from = end;
    }
  };

  #holdIfFull(): void {
    if (this.#isFull() && !this.connection.isPaused()) {
      this.#holds = true;
      this.connection.pause();
    }
  }

  readonly #goOn = (): void => {
    if (!this.#holds || this.#isFull()) return;
    this.#holds = false;
    this.connection.resume();
  };

  /** Also if the client does not read its answers: incoming bytes would make the connection look alive. */
  #isFull(): boolean {
    return this.#unanswered >= MOST_UNANSWERED || this.connection.writableNeedDrain;
  }
}

/** The end of the next portion for the parser: no portion contains the ends of two heads. */
function endOfPortion(packet: Buffer, from: number): number {
  if (from === 0) {
    // the head may have ended with the previous packet, except for these
    let blank = 0;
    while (packet[blank] === CR || packet[blank] === LF) blank++;
    if (blank > 0) return blank;
  }
  const end = packet.indexOf(HEAD_END, from === 0 ? 0 : from + SHORTEST_HEAD_BYTES - HEAD_END.length, 'latin1');
  return end < 0 ? packet.length : end + HEAD_END.length;
}

const CR = 0x0d;
const LF = 0x0a;

/** Empty lines in front of a request are none of it (RFC 9112, section 2.2). */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === CR || byte === LF);
}
