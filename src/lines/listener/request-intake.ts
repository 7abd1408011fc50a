import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { FairTurns, type Peer } from '../../lib/turns/fair-turns.js';
import { TurnedInput } from './turned-input.js';

/** Requests of a connection that wait for their answers; the next one is not read before one of them is answered. */
const MOST_UNANSWERED = 64;
/** Requests of a connection served at a time; the others wait and are not started. */
const MOST_SERVED_AT_A_TIME = 8;
/** Requests of one client that wait; past them a client is served whose connections have no more than they are served at a time. */
const MOST_WAITING_OF_CLIENT = 1_000;
/** Bytes of a chunked body that are parsed at once: in chunks of one byte they cause some 170 events. */
const MOST_CHUNKED_BYTES = 1_024;

const HEAD_END = '\r\n\r\n';

interface IntakeOptions {
  readonly turns?: FairTurns;
  /** The client of all requests; undefined: a trusted proxy, which speaks for many. */
  readonly client?: string | undefined;
  /** The client of one request. */
  readonly clientOfRequest?: ((request: IncomingMessage) => string) | undefined;
}

interface TakenRequest {
  readonly request: IncomingMessage;
  readonly client: Peer;
  state: 'waiting' | 'begun' | 'over';
  /** The rest of its body has not come. */
  lacksBody: boolean;
  /** Ends that it counts as under way. */
  end: (() => void) | undefined;
}

/** Requests that are parsed and not begun, by client. */
const waitingOf = new Map<Peer, number>();

/**
 * Limits the requests of a connection whose answers are not read yet, and has all of them take turns with those of other
 * clients. Sits between the connection and Node's parser, which would start every request of a packet, some 3,600, before
 * checking how many are waiting: the parser gets one at a time. At the limit, reading pauses until the client reads its
 * answers, so that pipelining clients lose nothing.
 */
export class RequestIntake {
  /** Begun last on the connection. */
  latestResponse: ServerResponse | undefined;
  /** When the connection was opened (`performance.now()`). */
  readonly openSince = performance.now();
  readonly #connection: Duplex;
  readonly #input: TurnedInput;
  readonly #turns: FairTurns;
  readonly #options: IntakeOptions;
  /** Requests that wait until others of the connection are answered. */
  readonly #waiting: (() => void)[] = [];
  #latest: TakenRequest | undefined;
  #unanswered = 0;
  #served = 0;
  /** Requests that wait for the turn of their client. */
  #queued = 0;
  #idleSince: number | undefined;

  constructor(connection: Duplex, options: IntakeOptions = {}) {
    this.#connection = connection;
    this.#options = options;
    this.#turns = options.turns ?? FairTurns.ofClients;
    this.#input = new TurnedInput(connection, this.#turns, {
      peer: () => this.#peer,
      begins: true,
      portion: (bytes) => this.#portion(bytes),
      isFull: () => this.#isFull(),
      fed: () => this.#noteBody(),
    });
    connection.on('drain', this.#input.goOn);
  }

  /** Since when there has been neither a request nor the start of one (`performance.now()`); undefined before the first answer. */
  get idleSince(): number | undefined {
    // bytes that wait for their turn have come in time
    return this.#input.isWaiting ? undefined : this.#idleSince;
  }

  /** Whether bytes of the client wait for their turn. */
  get isWaiting(): boolean {
    return this.#input.isWaiting;
  }

  /** Takes a request; `serve` is called when it is its turn. */
  take(response: ServerResponse, serve: () => void): void {
    this.latestResponse = response;
    this.#idleSince = undefined;
    this.#unanswered++;
    const { req: request } = response;
    // the turn is that of the client already
    const isServedNow =
      this.#options.client !== undefined && this.#queued === 0 && this.#served < MOST_SERVED_AT_A_TIME;
    const taken: TakenRequest = {
      request,
      client: this.#clientOf(request),
      state: isServedNow ? 'begun' : 'waiting',
      lacksBody: false,
      end: undefined,
    };
    this.#latest = taken;
    response.on('close', () => {
      this.#over(taken);
      this.#answered();
    });
    if (isServedNow) {
      this.#serve(taken, serve);
      return;
    }
    countWaiting(taken.client, 1);
    const begin = () => this.#begin(taken, serve);
    if (this.#served + this.#queued >= MOST_SERVED_AT_A_TIME) this.#waiting.push(begin);
    else begin();
  }

  /** Hands the connection to another protocol. @returns the bytes already read for it */
  release(): Buffer {
    this.#connection.off('drain', this.#input.goOn);
    return this.#input.release();
  }

  /** Reads and discards: the input can no longer be parsed. */
  ignoreRest(): void {
    this.release();
    this.#connection.resume();
  }

  /** A proxy's connection counts for itself while it brings heads, and for a client while it brings the body of a request. */
  get #peer(): Peer {
    if (this.#options.client !== undefined) return this.#options.client;
    return this.#latest?.request.complete === false ? this.#latest.client : this;
  }

  #clientOf(request: IncomingMessage): Peer {
    return this.#options.client ?? this.#options.clientOfRequest?.(request) ?? this;
  }

  #begin(taken: TakenRequest, serve: () => void): void {
    this.#queued++;
    this.#turns.start(taken.client, () => {
      this.#queued--;
      // nobody waits for the answer if the client has disconnected
      if (!this.#connection.destroyed) this.#serve(taken, serve);
      return true;
    });
  }

  #serve(taken: TakenRequest, serve: () => void): void {
    this.#served++;
    if (taken.state === 'over') return;
    if (taken.state === 'waiting') countWaiting(taken.client, -1);
    taken.state = 'begun';
    this.#isUnderWay(taken);
    serve();
  }

  #isUnderWay(taken: TakenRequest): void {
    taken.end = this.#turns.underWay(taken.client);
    noteUnderWay(taken.request, taken.end);
  }

  #over(taken: TakenRequest): void {
    if (taken.state === 'waiting') countWaiting(taken.client, -1);
    taken.state = 'over';
    taken.end?.();
  }

  readonly #answered = (): void => {
    this.#unanswered--;
    this.#served--;
    if (this.#unanswered === 0) this.#idleSince = performance.now();
    if (this.#connection.destroyed) return;
    this.#waiting.shift()?.();
    this.#input.goOn();
  };

  /** A request that waits for the rest of its body is not under way. */
  #noteBody(): void {
    const latest = this.#latest;
    if (latest === undefined || latest.lacksBody === !latest.request.complete) return;
    latest.lacksBody = !latest.request.complete;
    if (latest.state !== 'begun') return;
    if (latest.lacksBody) latest.end?.();
    else this.#isUnderWay(latest);
  }

  /** No portion contains the ends of two heads. */
  #portion(bytes: Buffer): number {
    const latest = this.#latest?.request;
    const isChunked = latest?.complete === false && latest.headers['transfer-encoding'] !== undefined;
    const end = Math.min(endOfPortion(bytes), isChunked ? MOST_CHUNKED_BYTES : bytes.length);
    if (this.#idleSince !== undefined && !isBlank(bytes.subarray(0, end))) this.#idleSince = undefined;
    return end;
  }

  /** Also if the client does not read its answers: incoming bytes would make the connection look alive. */
  #isFull(): boolean {
    if (this.#unanswered >= MOST_UNANSWERED || this.#connection.writableNeedDrain) return true;
    const { client = this } = this.#options;
    return this.#unanswered >= MOST_SERVED_AT_A_TIME && (waitingOf.get(client) ?? 0) >= MOST_WAITING_OF_CLIENT;
  }
}

function countWaiting(client: Peer, more: 1 | -1): void {
  const waiting = (waitingOf.get(client) ?? 0) + more;
  if (waiting > 0) waitingOf.set(client, waiting);
  else waitingOf.delete(client);
}

/** The end of the next portion for the parser: no portion contains the ends of two heads. */
function endOfPortion(bytes: Buffer): number {
  // the head may have ended with the previous packet, except for these
  let blank = 0;
  while (bytes[blank] === CR || bytes[blank] === LF) blank++;
  if (blank > 0) return blank;
  const end = bytes.indexOf(HEAD_END, 0, 'latin1');
  return end < 0 ? bytes.length : end + HEAD_END.length;
}

const CR = 0x0d;
const LF = 0x0a;

/** Empty lines in front of a request are none of it (RFC 9112, section 2.2). */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === CR || byte === LF);
}

/** A property, as an entry in a WeakMap for each request costs one percent of the time of a scenario request. */
const END = Symbol('end');

interface NotedRequest extends IncomingMessage {
  [END]?: () => void;
}

/** Notes that a request counts as under way until `end` is called. */
export function noteUnderWay(request: NotedRequest, end: () => void): void {
  request[END] = end;
}

/** A request that waits for something outside this process is not under way: its client may begin others. */
export function waitsOutside(request: NotedRequest): void {
  request[END]?.();
}
