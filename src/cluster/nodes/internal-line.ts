import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, type TLSSocket, Server as TlsServer } from 'node:tls';
import { listenPrivately } from '../../lib/files/private-path.js';
import type { Log } from '../../lib/log/log.js';
import { LogThrottle } from '../../lib/log/log-throttle.js';
import type { InternalRefusal } from '../../lib/metrics.js';
import { CARRIED_HEADER, type CarriedRequest, carriedIn, OWN_QUESTION, withoutCarried } from './carried-request.js';
import type { ClusterTls, NodeAddress } from './node-store.js';
import { OneRequestAtATime } from './one-request-at-a-time.js';
import { framingOf } from './passed-headers.js';
import { REFUSED_SEAL_HEADER, type Seal } from './seal.js';

export interface PassedOn {
  request(carried: CarriedRequest, request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  upgrade(carried: CarriedRequest, request: IncomingMessage, socket: Duplex, head: Buffer): void | Promise<void>;
}

interface InternalLineOptions {
  readonly address: NodeAddress;
  readonly tls: ClusterTls | undefined;
  readonly seal: Seal;
  /** Each forwarded request and each WebSocket uses one connection. */
  readonly mostConnections: number;
  readonly log: Log;
  /** Called for each closed connection. The cause is an attack, or a node with another key. */
  readonly onRefused: (reason: InternalRefusal) => void;
  readonly passedOn: PassedOn;
  /** Load of a process of this machine, by its code. Undefined for an unknown code. */
  readonly loadOf: (code: string) => Promise<string | undefined>;
}

const LARGEST_HEADERS = 256 * 1024;
const HEADER_MILLISECONDS = 10_000;
/** Limit for requests of a node that died. The line of the client has its own limit. */
const REQUEST_MILLISECONDS = 600_000;
/** Longer than nodes keep idle connections. */
const IDLE_MILLISECONDS = 65_000;
const REFUSALS_LOGGED_EVERY_MILLISECONDS = 10_000;

const UNSEALED = 'a request without a valid seal of a node';
const EARLY = 'bytes of another request before the answer was sent';
const REFUSAL = ['Connection', 'close', 'Content-Length', '0', REFUSED_SEAL_HEADER, 'seal'];

const LOAD_PATH = /^\/load\/([a-z0-9]+)$/;

interface Connected {
  readonly intake: OneRequestAtATime;
  isBusy: boolean;
}

/** Receives requests that other nodes forward to this node. Requests without a valid seal are refused. */
export class InternalLine {
  readonly #options: InternalLineOptions;
  readonly #server: Server;
  readonly #connections = new Map<Duplex, Connected>();
  #isStopping = false;
  readonly #refusals = new LogThrottle(REFUSALS_LOGGED_EVERY_MILLISECONDS);

  constructor(options: InternalLineOptions) {
    this.#options = options;
    const { tls, mostConnections } = options;
    const limits = {
      maxHeaderSize: LARGEST_HEADERS,
      headersTimeout: HEADER_MILLISECONDS,
      requestTimeout: REQUEST_MILLISECONDS,
      keepAliveTimeout: IDLE_MILLISECONDS,
      requireHostHeader: false,
      keepAlive: true,
    };
    this.#server = tls === undefined ? createHttpServer(limits) : createHttpsServer({ ...limits, ...serverTls(tls) });
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = mostConnections;
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', (connection: Duplex) => {
      if (tls !== undefined && !this.#isNode(connection as TLSSocket, tls.name)) return;
      const intake = new OneRequestAtATime(connection, () => this.#refused('early', EARLY, addressOf(connection)));
      this.#connections.set(connection, { intake, isBusy: false });
      connection.once('close', () => this.#connections.delete(connection));
    });
    this.#server.on('tlsClientError', (error, socket) => {
      this.#refused('handshake', error.message, socket.remoteAddress);
      socket.destroy();
    });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connected = this.#connections.get(request.socket);
      if (connected?.intake.begin(framingOf(request.headers), response) !== true) {
        request.socket.destroy();
        return;
      }
      this.#count(request.socket, connected, response);
      this.#see(this.#serve(request, response), request.socket);
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Node.js removes its own listener, and the request may have to wait: without a listener, a disconnected client
      // would end the process.
      socket.on('error', () => {});
      const intake = this.#connections.get(socket)?.intake;
      const isAlone = intake?.begin('none') === true && head.length === 0;
      intake?.release();
      if (isAlone) this.#see(this.#serveUpgrade(request, socket), socket);
      else socket.destroy();
    });
  }

  /** The actual port if the configured port is 0. */
  get port(): number | undefined {
    const address = this.#server.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  async start(): Promise<void> {
    const { address } = this.#options;
    // Remove the socket of a killed process with the same code. No other process writes to this path.
    if (address.kind === 'unix') await rm(address.path, { force: true });
    if (address.kind === 'unix') await listenPrivately(this.#server, address.path);
    else {
      this.#server.listen({ host: address.host, port: address.port });
      await once(this.#server, 'listening');
    }
    this.#server.on('error', (error) => this.#options.log.error({ err: error }, 'error of the internal line'));
  }

  /** Applies to new connections. */
  useTls(tls: ClusterTls): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext(serverTls(tls));
  }

  async stop(graceMilliseconds: number): Promise<void> {
    this.#isStopping = true;
    // Node.js would close connections before the response is completely sent.
    this.#server.closeIdleConnections = () => {};
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [connection, { isBusy }] of this.#connections) if (!isBusy) connection.destroy();
    const grace = setTimeout(() => {
      for (const connection of this.#connections.keys()) connection.destroy();
    }, graceMilliseconds);
    await closed;
    clearTimeout(grace);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const said = await this.#opened(request, false);
    if (socket.destroyed) return;
    if (said === undefined) {
      this.#refused('seal', UNSEALED, addressOf(socket));
      this.#connections.get(socket)?.intake.release();
      response.writeHead(400, REFUSAL).end();
    } else if (said === OWN_QUESTION) await this.#answer(request, response);
    else await this.#options.passedOn.request(said, request, response);
  }

  async #serveUpgrade(request: IncomingMessage, socket: Duplex): Promise<void> {
    const said = await this.#opened(request, true);
    if (socket.destroyed) return;
    if (said === undefined || said === OWN_QUESTION) {
      this.#refused('seal', UNSEALED, addressOf(socket));
      const headers = REFUSAL.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
      socket.end(`HTTP/1.1 400 Bad Request\r\n${headers}\r\n`);
    } else await this.#options.passedOn.upgrade(said, request, socket, Buffer.alloc(0));
  }

  async #opened(request: IncomingMessage, isUpgrade: boolean): Promise<ReturnType<typeof carriedIn>> {
    const { method = '', url = '', headers } = request;
    const seal = headers[CARRIED_HEADER];
    withoutCarried(request);
    if (typeof seal !== 'string') return undefined;
    const said = await this.#options.seal.open(seal, { method, url, framing: framingOf(headers), isUpgrade });
    return carriedIn(said);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, code] = LOAD_PATH.exec(request.url ?? '') ?? [];
    // A presence check.
    if (code === undefined) {
      response.writeHead(204).end();
      return;
    }
    const load = await this.#options.loadOf(code).catch(() => undefined);
    if (load === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(load);
  }

  #see(done: void | Promise<void>, connection: Duplex): void {
    Promise.resolve(done).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'a request forwarded by another node failed');
      connection.destroy();
    });
  }

  #count(connection: Duplex, connected: Connected, response: ServerResponse): void {
    connected.isBusy = true;
    if (this.#isStopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      connected.isBusy = false;
      if (this.#isStopping) connection.end();
    });
  }

  #isNode(connection: TLSSocket, name: string): boolean {
    const fault = checkServerIdentity(name, connection.getPeerCertificate());
    if (fault === undefined) return true;
    this.#refused('certificate', fault.message, connection.remoteAddress);
    connection.destroy();
    return false;
  }

  #refused(kind: InternalRefusal, reason: string, remoteAddress: string | undefined): void {
    this.#options.onRefused(kind);
    const withheld = this.#refusals.pass(performance.now());
    if (withheld === undefined) return;
    this.#options.log.warn({ reason, remoteAddress, withheld }, 'the internal line rejected a connection');
  }
}

function addressOf(connection: Duplex): string | undefined {
  return 'remoteAddress' in connection ? (connection.remoteAddress as string | undefined) : undefined;
}

function serverTls({ cert, key, ca }: ClusterTls) {
  return {
    cert,
    key,
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
    handshakeTimeout: HEADER_MILLISECONDS,
  } as const;
}
