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
import { LogThrottle } from '../../lib/log/log-throttle.js';
import { FairTurns, type Peer } from '../../lib/turns/fair-turns.js';
import { type CertificateState, CertificateWatch } from './certificate-watch.js';
import { ConnectionGate } from './connection-gate.js';
import { refusedConnectionOption } from './connection-options.js';
import { createLineServer, listen } from './http-server.js';
import type { ListenerDefinition, ReadPem } from './line-definition.js';
import { LineOpeningError, openingErrorOf } from './line-opening-error.js';
import { endWithAnswer, type MakeRefusal, refusalBytes, writeLastAnswer } from './refusal.js';
import { removeHeaders } from './remove-headers.js';
import { RequestIntake } from './request-intake.js';
import { UnparsedRequestHandler } from './unparsed-request-handler.js';

interface HeadFault {
  readonly code: ErrorCode;
  readonly detail: string;
}

/** Prefix of headers that only nodes of a cluster send, over the internal line. */
const INTERNAL = 'sallyport-';

/**
 * Checks the head of a client's request before routing, and removes headers with the internal prefix.
 * @param isTaken true if another protocol follows the head
 * @returns the reason for a rejection; undefined if the head is valid
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

/** Serves the requests of a line. A rejected promise is handled like an exception. */
export type LineRequestListener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** While closing: interval of the checks for idle connections. */
const IDLE_CHECK_MILLISECONDS = 50;
/** While closing: time allowed for the first request of a new connection. */
const FRESH_MILLISECONDS = 500;
/**
 * While closing with `servesLast`: time after a response in which a client may still send a request on the connection.
 */
const UNTOLD_MILLISECONDS = 1_000;
const SILENCE_CHECK_MILLISECONDS = 250;
const WARNING_INTERVAL_MILLISECONDS = 1_000;

/** A named listener: an HTTP or HTTPS server with limits, controlled by `machines/line.machine.ts`. */
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
  /** Open connections (with TLS, after the handshake). */
  readonly #intakes = new Map<Duplex, RequestIntake>();
  readonly #options: InboundLineOptions;
  #server: Server | undefined;
  #certificates: CertificateWatch | undefined;
  #reported = '';
  #closing = false;
  #graceMilliseconds = 0;
  #closingOptions: ClosingOptions = {};

  /**
   * @param makeRefusal creates responses to input that never reaches the listener: invalid HTTP, connections over the
   * limit, requests to a closing line
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

  get connections(): number {
    return this.#gate.connections;
  }

  get certificate(): CertificateState | undefined {
    return this.#certificates?.state;
  }

  get trouble(): string | undefined {
    return this.#actor.getSnapshot().context.reason;
  }

  /** True while the line retries because another program uses its port. */
  get waitsForPort(): boolean {
    const { value, context } = this.#actor.getSnapshot();
    return stateOf({ value }) === 'opening' && context.fault === openingFaults.portTaken;
  }

  /** URL for clients on this machine, with the actual port and without a trailing slash. */
  get url(): string {
    const { host, port, tls } = this.definition;
    const address = this.#server?.address();
    const realPort = typeof address === 'object' && address !== null ? (address as AddressInfo).port : port;
    const name = host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${realPort}`;
  }

  /**
   * Opens the line. Resolves when it listens. Unless `untilListening`, also resolves if the first attempt fails because
   * the port is in use or the address is missing; the line then retries with the `state` `opening`. Rejects with a
   * LineOpeningError if retries are pointless.
   */
  async start({ untilListening = false }: { readonly untilListening?: boolean } = {}): Promise<void> {
    this.#closing = false;
    this.#actor.send({ type: 'operator.start' });
    const settled = await waitFor(
      this.#actor,
      (snapshot) => !snapshot.matches('opening') || (!untilListening && snapshot.matches({ opening: 'waiting' })),
    );
    if (settled.matches('listening') || settled.matches('opening')) return;
    const reason = settled.context.reason ?? `line ${this.definition.name} was stopped while it was opening`;
    throw new LineOpeningError(openingFaults.refused, reason);
  }

  /**
   * Closes the line: no new connections, idle ones are closed at once, requests in progress are answered with
   * `Connection: close`. After the grace period, the remaining connections are cut. Resolves when all connections are
   * closed.
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
            // other protocols are not supported: the offer is ignored (RFC 9110, section 7.8)
            request.socket.setTimeout(0);
            socket.unshift(Buffer.concat([withoutUpgrade(request), rest]));
            parse?.call(server, socket);
            this.#intakes.set(socket, this.#intakeOf(socket));
          } else {
            // a WebSocket has no HTTP response and must not be treated as idle
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
      // Node treats a connection as idle even if its response is not completely sent, and would truncate it
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

  /** Needed because Node's idle timeout restarts with any bytes, even empty lines between requests. */
  #closeSilentConnections(latest: number): void {
    for (const [connection, { idleSince }] of this.#intakes) {
      if (idleSince !== undefined && idleSince < latest) connection.destroy();
    }
  }

  #closeIdleConnections(): void {
    const now = performance.now();
    const { servesLast = false } = this.#closingOptions;
    for (const [connection, { latestResponse: response, openSince, idleSince, isWaiting }] of this.#intakes) {
      // the first request of a new connection is expected or has arrived
      if (isWaiting || (response === undefined && now - openSince < FRESH_MILLISECONDS)) continue;
      const isUntold =
        servesLast && response?.shouldKeepAlive === true && now - (idleSince ?? now) < UNTOLD_MILLISECONDS;
      if (response === undefined || (response.writableFinished && !isUntold)) connection.destroy();
    }
  }

  /** Repeats until a turn of the event loop accepts no connection from the system's queue. */
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
        'the line cannot open yet, and will retry',
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
 * Starts TLS in the fair turn of the client: a handshake takes a millisecond of CPU time, and a client can trigger it
 * by replaying recorded bytes.
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

type LineUpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface InboundLineOptions {
  /** Without it, such requests are handled like any other. */
  readonly upgrade?: LineUpgradeListener | undefined;
  /** Maps the address of a connection to a client (default: the address itself); undefined for many clients. */
  readonly clientOf?: ((remoteAddress: string) => string | undefined) | undefined;
  readonly clientOfRequest?: ((request: IncomingMessage) => string) | undefined;
  /** Reads certificate and key each time the line opens; required for TLS. */
  readonly readPem?: ReadPem | undefined;
  readonly onRefused?: ((status: number) => void) | undefined;
  readonly onFault?: ((reason: string) => void) | undefined;
  /** Delays between attempts to open; the last one is repeated. */
  readonly retryMilliseconds?: readonly number[];
}

interface ClosingOptions {
  /**
   * Time during which a closing line accepts connections from the system's queue, because closing would reset them.
   * Their requests are rejected. Ends early if the queue is empty.
   */
  readonly emptyingMilliseconds?: number;
  /** Serves these requests instead, because another line or process takes over the port. */
  readonly servesLast?: boolean;
  readonly onReleased?: () => void;
}

/** Runs after the next poll phase: on a busy machine, a request that has already arrived may not have been read yet. */
function afterPolling(work: () => void): void {
  setImmediate(work);
}

/** A full turn, which polls every event source. */
async function oneTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Head of a request as received, without its `Upgrade` headers. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}
