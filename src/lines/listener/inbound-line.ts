import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Actor, createActor, fromPromise, type SnapshotFrom, waitFor } from 'xstate';
import {
  defaultRetryMilliseconds,
  lineMachine,
  type OpeningOutcome,
  openingFaults,
  retryDelay,
} from '../../../machines/line.machine.js';
import { type ErrorCode, errorCatalogue, ServiceError } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import { FairTurns, type Peer } from '../../lib/turns/fair-turns.js';
import { type CertificateState, CertificateWatch } from './certificate-watch.js';
import { ConnectionGate } from './connection-gate.js';
import { refusedConnectionOption } from './connection-options.js';
import { createLineServer, listen } from './http-server.js';
import type { ListenerDefinition, ReadPem } from './line-definition.js';
import { LineOpeningError, openingErrorOf } from './line-opening-error.js';
import { LogThrottle } from './log-throttle.js';
import { endWithAnswer, type MakeRefusal, refusalBytes, writeLastAnswer } from './refusal.js';
import { removeHeaders } from './remove-headers.js';
import { RequestIntake } from './request-intake.js';
import { UnparsedRequestHandler } from './unparsed-request-handler.js';

/** Why a request is refused before anything of it is read. */
interface HeadFault {
  readonly code: ErrorCode;
  /** For the log. */
  readonly detail: string;
}

/** Only servers of one cluster send headers with such names, and only over the internal line. */
const INTERNAL = 'sallyport-';

/**
 * Looks at the head of a request of a client, before any router, and removes the headers that only servers send to each other.
 * @param isTaken whether another protocol begins behind the head
 * @returns why the request is refused; undefined: it is not
 */
function checkedHead(request: IncomingMessage, isTaken = false): HeadFault | undefined {
  removeHeaders(request, (name) => name.startsWith(INTERNAL));
  const option = refusedConnectionOption(request.rawHeaders);
  if (option !== undefined) return { code: 'SVC_ERR_REQUEST_CONNECTION', detail: `Connection names ${option}` };
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (coding !== undefined && (coding.trim().toLowerCase() !== 'chunked' || request.httpVersion !== '1.1')) {
    return { code: 'SVC_ERR_REQUEST_SYNTAX', detail: 'a transfer coding other than chunked' };
  }
  // RFC 6455, section 4.1: the handshake is a GET request without a body
  if (isTaken && (coding !== undefined || Number(length ?? 0) > 0)) {
    return { code: 'SVC_ERR_REQUEST_SYNTAX', detail: 'a WebSocket request with a body' };
  }
  return undefined;
}

type LineState = 'closed' | 'opening' | 'listening' | 'closing' | 'failed';

/** Serves the requests of a line. A rejected promise is contained like an exception. */
export type LineRequestListener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** While closing: how often connections that have become idle are looked for. */
const IDLE_CHECK_MILLISECONDS = 50;
/** While closing: for how long a new connection is given time for its first request. */
const FRESH_MILLISECONDS = 500;
/** While closing a line that serves what comes last: for how long a client may not know yet that its next request is for another one. */
const UNTOLD_MILLISECONDS = 1_000;
/** How often connections that have been idle for too long are looked for. */
const SILENCE_CHECK_MILLISECONDS = 250;
const WARNING_INTERVAL_MILLISECONDS = 1_000;

/** A named listener: an HTTP or HTTPS server with limits, opened and closed as `machines/line.machine.ts` says. */
export class InboundLine {
  readonly #actor: Actor<typeof lineMachine>;
  readonly #gate: ConnectionGate;
  readonly #intakeOf: (connection: Duplex) => RequestIntake;
  readonly #unparsed: UnparsedRequestHandler;
  readonly #throttles = {
    line: new LogThrottle(WARNING_INTERVAL_MILLISECONDS),
    address: new LogThrottle(WARNING_INTERVAL_MILLISECONDS),
  };
  readonly #tlsThrottle = new LogThrottle(WARNING_INTERVAL_MILLISECONDS);
  /** Of the open connections (after the handshake on TLS). */
  readonly #intakes = new Map<Duplex, RequestIntake>();
  readonly #options: InboundLineOptions;
  #server: Server | undefined;
  #certificates: CertificateWatch | undefined;
  #reported = '';
  #closing = false;
  #graceMilliseconds = 0;
  #closingOptions: ClosingOptions = {};

  /**
   * @param makeRefusal makes the answers to input that never reaches the listener: invalid HTTP, connections over
   *   the limit, requests to a closing line
   */
  constructor(
    readonly definition: ListenerDefinition,
    private readonly requestListener: LineRequestListener,
    private readonly log: Log,
    private readonly makeRefusal: MakeRefusal,
    options: InboundLineOptions = {},
  ) {
    this.#options = options;
    const { retryMilliseconds = defaultRetryMilliseconds, clientOf = itself } = options;
    this.#intakeOf = (connection) => {
      const { clientOfRequest } = options;
      return new RequestIntake(connection, { client: clientOf(remoteAddressOf(connection) ?? ''), clientOfRequest });
    };
    this.#gate = new ConnectionGate({
      limit: definition.limits.connections,
      limitPerAddress: definition.limits.connectionsPerAddress,
      clientOf: (socket) => clientOf(socket.remoteAddress ?? ''),
      begin: definition.tls === undefined ? undefined : handshakeInTurn,
      refusal: definition.tls === undefined ? () => this.#refusalBytes('SVC_ERR_SERVICE_BUSY') : undefined,
      onRefused: (socket, whose) => {
        options.onRefused?.(errorCatalogue.SVC_ERR_SERVICE_BUSY.status);
        this.#warn(this.#throttles[whose], `connection over the limit of the ${whose} refused`, socket);
      },
    });
    this.#unparsed = new UnparsedRequestHandler({
      urlBytes: definition.limits.urlBytes,
      answer: (code, connection) => this.#unparsedAnswer(code, connection),
      onTlsBytes: (connection) => this.#warn(this.#tlsThrottle, 'TLS bytes on a line without TLS', connection),
      latestResponse: (connection) => this.#intakes.get(connection)?.latestResponse,
      onAnswered: (connection) => this.#intakes.get(connection)?.ignoreRest(),
    });
    this.#actor = createActor(
      lineMachine.provide({
        actors: {
          open: fromPromise<OpeningOutcome>(({ signal }) => this.#open(signal)),
          close: fromPromise<void>(() => this.#close()),
        },
      }),
      { input: { retryMilliseconds } },
    );
    this.#actor.start();
    this.#actor.subscribe({
      next: (snapshot) => this.#report(snapshot),
      error: (error) => this.log.error({ line: definition.name, err: error }, 'the line failed'),
    });
  }

  get state(): LineState {
    return stateOf(this.#actor.getSnapshot());
  }

  /** Connections open now. */
  get connections(): number {
    return this.#gate.connections;
  }

  /** That clients are shown; undefined: the line is not open, or has no TLS. */
  get certificate(): CertificateState | undefined {
    return this.#certificates?.state;
  }

  /** Why it does not listen, in words. */
  get trouble(): string | undefined {
    return this.#actor.getSnapshot().context.reason;
  }

  /** Whether the line goes on trying because another program has its port. */
  get waitsForPort(): boolean {
    const { value, context } = this.#actor.getSnapshot();
    return stateOf({ value }) === 'opening' && context.fault === openingFaults.portTaken;
  }

  /** Where a client on this machine reaches the line, without a slash at the end. The port is the real one. */
  get url(): string {
    const { host, port, tls } = this.definition;
    const address = this.#server?.address();
    const realPort = typeof address === 'object' && address !== null ? (address as AddressInfo).port : port;
    const name = host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${realPort}`;
  }

  /**
   * Opens the line. Resolves when it listens, and also (unless `untilListening`) when the first attempt found the port
   * in use or the address missing, and the line keeps trying: `state` is then `opening`.
   * Rejects with a LineOpeningError if trying again is pointless.
   */
  async start({ untilListening = false }: { readonly untilListening?: boolean } = {}): Promise<void> {
    this.#closing = false;
    this.#actor.send({ type: 'operator.start' });
    const settled = await waitFor(
      this.#actor,
      (snapshot) => !snapshot.matches('opening') || (!untilListening && snapshot.matches({ opening: 'waiting' })),
    );
    if (settled.matches('listening') || settled.matches('opening')) return;
    const reason = settled.context.reason ?? `line ${this.definition.name} was stopped while it opened`;
    throw new LineOpeningError(openingFaults.refused, reason);
  }

  /**
   * Closes the line: no new connections, idle ones are closed at once, requests in flight are answered with
   * `Connection: close`. What is not finished after the grace period is cut off. Resolves when nothing is open any more.
   */
  async stop(graceMilliseconds: number, options: ClosingOptions = {}): Promise<void> {
    this.#graceMilliseconds = graceMilliseconds;
    this.#closingOptions = options;
    this.#actor.send({ type: 'operator.stop' });
    await waitFor(this.#actor, (snapshot) => snapshot.matches('closed') || snapshot.matches('failed'));
  }

  async #open(signal: AbortSignal): Promise<OpeningOutcome> {
    try {
      const server = createLineServer(this.definition, this.#options.readPem);
      this.#serve(server);
      await listen(server, this.definition, signal);
      this.#server = server;
      this.#certificates = CertificateWatch.begin(server, this.definition, this.#options.readPem, this.log);
      const silenceCheck = setInterval(() => {
        const latest = performance.now() - this.definition.limits.idleSeconds * 1_000;
        afterPolling(() => this.#closeSilentConnections(latest));
      }, SILENCE_CHECK_MILLISECONDS);
      server.once('close', () => {
        clearInterval(silenceCheck);
        this.#certificates?.stop();
      });
      return { kind: 'listening' };
    } catch (error) {
      const { fault, message } = openingErrorOf(error, this.definition);
      this.#options.onFault?.(message);
      return { kind: 'fault', fault, reason: message };
    }
  }

  #serve(server: Server): void {
    const connected = this.definition.tls === undefined ? 'connection' : 'secureConnection';
    const [parse] = server.listeners(connected);
    server.on(connected, (connection: Duplex) => {
      this.#intakes.set(connection, this.#intakeOf(connection));
      connection.once('close', () => this.#intakes.delete(connection));
    });
    this.#gate.guard(server);
    server.on('error', (error) => {
      if (server.listening) this.log.error({ line: this.definition.name, err: error }, 'error of the listener');
    });
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#onRequest(request, response);
    server.on('request', onRequest);
    const { upgrade } = this.#options;
    if (upgrade !== undefined) {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        const before = this.#intakes.get(socket)?.latestResponse;
        const rest = Buffer.concat([head, this.#intakes.get(socket)?.release() ?? Buffer.alloc(0)]);
        socket.on('error', ignore);
        const proceed = () => {
          if (socket.destroyed) return;
          const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
          const fault = checkedHead(request, isWebSocket);
          if (fault !== undefined || this.#closing) {
            const code = fault?.code ?? 'SVC_ERR_SERVICE_STOPPING';
            endWithAnswer(socket, this.#unparsedAnswer(code, socket, fault?.detail));
            return;
          }
          if (!isWebSocket) {
            // an offer of another protocol need not be taken up (RFC 9110, section 7.8): the request is one like any other
            request.socket.setTimeout(0);
            socket.unshift(Buffer.concat([withoutUpgrade(request), rest]));
            parse?.call(server, socket);
            this.#intakes.set(socket, this.#intakeOf(socket));
          } else {
            // it will never have a response, and must not be treated as idle
            this.#intakes.delete(socket);
            upgrade(request, socket, rest);
          }
          socket.off('error', ignore);
        };
        if (before === undefined || before.writableFinished) proceed();
        else before.once('finish', proceed);
      });
    }
    // expectations other than 100-continue are ignored
    server.on('checkExpectation', onRequest);
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      this.#intakes.get(socket)?.release();
      socket.on('error', () => {});
      endWithAnswer(socket, this.#unparsedAnswer('SVC_ERR_REQUEST_PATH', socket));
    });
    server.on('clientError', (error: Error, connection: Duplex) => this.#unparsed.handle(error, connection));
    server.on('tlsClientError', (error: Error, socket: Socket) => {
      const remoteAddress = remoteAddressOf(socket);
      this.log.debug({ line: this.definition.name, remoteAddress, reason: error.message }, 'TLS handshake failed');
      socket.destroy();
    });
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    // the connection was answered (a time limit, the connection limit) before this request was complete
    if (!request.socket.writable) return;
    const isRefused = this.#closing && this.#closingOptions.servesLast !== true;
    const fault = checkedHead(request);
    if (this.#closing || fault !== undefined) response.shouldKeepAlive = false;
    this.#intakes.get(request.socket)?.take(response, () => {
      if (fault !== undefined) this.#refuse(fault.code, request, response, fault.detail);
      else if (isRefused) this.#refuse('SVC_ERR_SERVICE_STOPPING', request, response);
      else this.#run(request, response);
    });
  }

  #run(request: IncomingMessage, response: ServerResponse): void {
    try {
      const running = this.requestListener(request, response);
      if (running !== undefined) running.catch((error: unknown) => this.#contain(error, request, response));
    } catch (error) {
      this.#contain(error, request, response);
    }
  }

  #contain(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const remoteAddress = remoteAddressOf(request.socket);
    this.log.error({ line: this.definition.name, remoteAddress, err: error }, 'a request failed');
    if (response.headersSent) response.destroy();
    else this.#refuse('SVC_ERR_SERVICE_FAILED', request, response);
  }

  #refuse(code: ErrorCode, request: IncomingMessage, response: ServerResponse, detail?: string): void {
    this.#logRefusal(code, request.socket, detail);
    response.shouldKeepAlive = false;
    writeLastAnswer(request, response, this.makeRefusal(new ServiceError(code), request));
  }

  #unparsedAnswer(code: ErrorCode, connection: Duplex, detail?: string): Buffer {
    this.#logRefusal(code, connection, detail);
    return this.#refusalBytes(code);
  }

  #logRefusal(code: ErrorCode, connection: Duplex, detail?: string): void {
    const remoteAddress = remoteAddressOf(connection);
    this.log.info({ line: this.definition.name, code, detail, remoteAddress }, 'request refused');
    this.#options.onRefused?.(errorCatalogue[code].status);
  }

  #refusalBytes(code: ErrorCode): Buffer {
    return refusalBytes(this.makeRefusal(new ServiceError(code), undefined));
  }

  async #close(): Promise<void> {
    this.#closing = true;
    const server = this.#server;
    if (server === undefined) return;
    for (const { latestResponse: response } of this.#intakes.values()) {
      if (response !== undefined && !response.headersSent) response.shouldKeepAlive = false;
    }
    const closeIdle = () => this.#closeIdleConnections();
    afterPolling(closeIdle);
    const idleCheck = setInterval(afterPolling, IDLE_CHECK_MILLISECONDS, closeIdle);
    const grace = setTimeout(() => this.#gate.destroyAll(), this.#graceMilliseconds);
    try {
      // Node treats a connection as idle even if its answer is not completely sent, and would truncate it
      server.closeIdleConnections = () => {};
      await this.#emptyQueue();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      this.#closingOptions.onReleased?.();
      await closed;
    } finally {
      clearInterval(idleCheck);
      clearTimeout(grace);
      this.#server = undefined;
    }
  }

  /** Node counts any bytes as a sign of life, also empty lines between requests. */
  #closeSilentConnections(latest: number): void {
    for (const [connection, { idleSince }] of this.#intakes) {
      if (idleSince !== undefined && idleSince < latest) connection.destroy();
    }
  }

  #closeIdleConnections(): void {
    const now = performance.now();
    const { servesLast = false } = this.#closingOptions;
    for (const [connection, { latestResponse: response, openSince, idleSince, isWaiting }] of this.#intakes) {
      // the first request of a new connection is on its way, or one has come
      if (isWaiting || (response === undefined && now - openSince < FRESH_MILLISECONDS)) continue;
      const isUntold =
        servesLast && response?.shouldKeepAlive === true && now - (idleSince ?? now) < UNTOLD_MILLISECONDS;
      if (response === undefined || (response.writableFinished && !isUntold)) connection.destroy();
    }
  }

  /** Goes on until a turn of the event loop finds nobody in the queue of the system. */
  async #emptyQueue(): Promise<void> {
    const end = performance.now() + (this.#closingOptions.emptyingMilliseconds ?? 0);
    for (let before = -1; before !== this.#gate.seen && performance.now() < end; ) {
      before = this.#gate.seen;
      await oneTurn();
    }
  }

  #report(snapshot: SnapshotFrom<typeof lineMachine>): void {
    const { name, externalName } = this.definition;
    const line = { line: name, externalName };
    const { reason, failedAttempts } = snapshot.context;
    const news = JSON.stringify([snapshot.value, failedAttempts]);
    if (news === this.#reported) return;
    this.#reported = news;
    if (snapshot.matches({ opening: 'waiting' })) {
      this.log.warn(
        { ...line, reason, nextTryMilliseconds: retryDelay(snapshot.context) },
        'the line cannot open yet, and will try again',
      );
    } else if (snapshot.matches('failed')) {
      this.log.error({ ...line, reason }, 'line failed');
    } else {
      this.log.info({ ...line, url: this.url }, `line ${stateOf(snapshot)}`);
    }
  }

  #warn(throttle: LogThrottle, message: string, connection: Duplex): void {
    const withheld = throttle.pass(performance.now());
    if (withheld === undefined) return;
    this.log.warn({ line: this.definition.name, remoteAddress: remoteAddressOf(connection), withheld }, message);
  }
}

function stateOf(snapshot: Pick<SnapshotFrom<typeof lineMachine>, 'value'>): LineState {
  return typeof snapshot.value === 'string' ? snapshot.value : 'opening';
}

const ignore = () => undefined;
const itself = (remoteAddress: string) => remoteAddress;

function remoteAddressOf(connection: Duplex): string | undefined {
  return 'remoteAddress' in connection ? String(connection.remoteAddress) : undefined;
}

/**
 * Begins TLS on a connection in the turn of its client. A handshake takes a millisecond of the processor, and a client can
 * cause it with bytes that it has recorded once.
 */
function handshakeInTurn(client: Peer, socket: Socket, begin: () => void): void {
  const turns = FairTurns.ofClients;
  turns.start(client, () => {
    if (socket.destroyed) return true;
    socket.once('close', turns.underWay(client));
    begin();
    return true;
  });
}

/** What takes requests for another protocol on a connection of the line. */
type LineUpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface InboundLineOptions {
  /** Without it they are answered like any other request. */
  readonly upgrade?: LineUpgradeListener | undefined;
  /** What counts as one client, of the address of a connection; without it, the address itself. Undefined: many do. */
  readonly clientOf?: ((remoteAddress: string) => string | undefined) | undefined;
  /** The client that a request of a trusted proxy comes from. */
  readonly clientOfRequest?: ((request: IncomingMessage) => string) | undefined;
  /** Of certificate and key, each time the line opens; without it, no line with TLS opens. */
  readonly readPem?: ReadPem | undefined;
  /** Told of every request that the line refuses by itself. */
  readonly onRefused?: ((status: number) => void) | undefined;
  /** Told, in words, of every time that the line could not open. */
  readonly onFault?: ((reason: string) => void) | undefined;
  /** Waits between the attempts to open; the last one is kept. */
  readonly retryMilliseconds?: readonly number[];
}

interface ClosingOptions {
  /**
   * How long a closing line still takes connections that the system has already accepted, because closing would reset them;
   * their requests are refused properly. Ends when there are none left.
   */
  readonly emptyingMilliseconds?: number;
  /** They are served instead: another line, or another process, takes the place of this one. */
  readonly servesLast?: boolean;
  /** Told when nobody can connect any more. */
  readonly onReleased?: () => void;
}

/** On a busy machine, a request that has already arrived may not have been read yet. */
function afterPolling(work: () => void): void {
  setImmediate(work);
}

/** In which every source of events is looked at. */
async function oneTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** The head of a request as it came, with no offer of another protocol. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}
