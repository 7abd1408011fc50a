import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { FairTurns, type Peer } from '../../lib/turns/fair-turns.js';
import { TurnedInput } from './turned-input.js';

/** Unanswered requests of a connection; at this limit, reading pauses. */
const MOST_UNANSWERED = 64;
/** Requests of a connection served concurrently; further ones wait. */
const MOST_SERVED_AT_A_TIME = 8;
/**
 * Waiting requests of a client. Beyond this limit, each of its connections may only have as many requests as are served
 * concurrently.
 */
const MOST_WAITING_OF_CLIENT = 1_000;
/** Bytes of a chunked body parsed in one portion: with chunks of one byte, they cause some 170 events. */
const MOST_CHUNKED_BYTES = 1_024;

const HEAD_END = '\r\n\r\n';

interface IntakeOptions {
  readonly turns?: FairTurns;
  /** Client of all requests; undefined for a trusted proxy, which carries many clients. */
  readonly client?: string | undefined;
  readonly clientOfRequest?: ((request: IncomingMessage) => string) | undefined;
}

interface TakenRequest {
  readonly request: IncomingMessage;
  readonly client: Peer;
  state: 'waiting' | 'begun' | 'over';
  lacksBody: boolean;
  end: (() => void) | undefined;
}

/** Parsed requests that have not started, by client. */
const waitingOf = new Map<Peer, number>();

/**
 * Limits the unanswered requests of a connection, and schedules them fairly with those of other clients. Node's parser
 * would start every request of a packet, some 3,600, before a limit could apply. Therefore this class passes input to
 * the parser one request at a time. At the limit, reading pauses until the client reads its responses, so that
 * pipelining clients lose nothing.
 */
export class RequestIntake {
  latestResponse: ServerResponse | undefined;
  /** `performance.now()`. */
  readonly openSince = performance.now();
  readonly #connection: Duplex;
  readonly #input: TurnedInput;
  readonly #turns: FairTurns;
  readonly #options: IntakeOptions;
  /** Requests waiting for responses to earlier requests of the connection. */
  readonly #waiting: (() => void)[] = [];
  #latest: TakenRequest | undefined;
  #unanswered = 0;
  #served = 0;
  /** Requests waiting for the turn of their client. */
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

  /** Start of the idle time (`performance.now()`); undefined during a request and before the first response. */
  get idleSince(): number | undefined {
    // bytes that wait for their turn have arrived in time
    return this.#input.isWaiting ? undefined : this.#idleSince;
  }

  get isWaiting(): boolean {
    return this.#input.isWaiting;
  }

  take(response: ServerResponse, serve: () => void): void {
    this.latestResponse = response;
    this.#idleSince = undefined;
    this.#unanswered++;
    const { req: request } = response;
    // input is already processed in the turn of the client
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

  /** Stops processing, for another protocol. @returns the bytes already read for it */
  release(): Buffer {
    this.#connection.off('drain', this.#input.goOn);
    return this.#input.release();
  }

  /** Reads and discards: the input can no longer be parsed. */
  ignoreRest(): void {
    this.release();
    this.#connection.resume();
  }

  /** A proxy's connection is its own peer while it sends heads; the body of a request counts for the client. */
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
      // skipped if the client has disconnected
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

  /** A request that waits for the rest of its body does not count as in progress. */
  #noteBody(): void {
    const latest = this.#latest;
    if (latest === undefined || latest.lacksBody === !latest.request.complete) return;
    latest.lacksBody = !latest.request.complete;
    if (latest.state !== 'begun') return;
    if (latest.lacksBody) latest.end?.();
    else this.#isUnderWay(latest);
  }

  #portion(bytes: Buffer): number {
    const latest = this.#latest?.request;
    const isChunked = latest?.complete === false && latest.headers['transfer-encoding'] !== undefined;
    const end = Math.min(endOfPortion(bytes), isChunked ? MOST_CHUNKED_BYTES : bytes.length);
    if (this.#idleSince !== undefined && !isBlank(bytes.subarray(0, end))) this.#idleSince = undefined;
    return end;
  }

  /** Also full if the client does not read its responses: incoming bytes would make the connection look active. */
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

/** End of the next portion for the parser, which contains the end of at most one head. */
function endOfPortion(bytes: Buffer): number {
  // these may complete a head that began in the previous packet
  let blank = 0;
  while (bytes[blank] === CR || bytes[blank] === LF) blank++;
  if (blank > 0) return blank;
  const end = bytes.indexOf(HEAD_END, 0, 'latin1');
  return end < 0 ? bytes.length : end + HEAD_END.length;
}

const CR = 0x0d;
const LF = 0x0a;

/** Empty lines before a request are ignored (RFC 9112, section 2.2). */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === CR || byte === LF);
}

/** A property, because a WeakMap entry for each request costs one percent of the time of a scenario request. */
const END = Symbol('end');

interface NotedRequest extends IncomingMessage {
  [END]?: () => void;
}

export function noteUnderWay(request: NotedRequest, end: () => void): void {
  request[END] = end;
}

/** A request that waits for another process does not count as in progress, so its client may start others. */
export function waitsOutside(request: NotedRequest): void {
  request[END]?.();
}
