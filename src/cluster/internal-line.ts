import { rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, type TLSSocket, Server as TlsServer } from 'node:tls';
import { LogThrottle } from '../line/log-throttle.js';
import type { Log } from '../log.js';
import { type CarriedRequest, carriedRequest, withoutCarried } from './carried-request.js';
import type { ClusterTls, NodeAddress } from './node-address.js';

/** What is done with what other nodes pass on. */
export interface PassedOn {
  request(carried: CarriedRequest, request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  upgrade(carried: CarriedRequest, request: IncomingMessage, socket: Duplex, head: Buffer): void | Promise<void>;
}

interface InternalLineOptions {
  readonly address: NodeAddress;
  /** Undefined: the other nodes are on this machine. */
  readonly tls: ClusterTls | undefined;
  /** Each WebSocket has one, and each request under way. */
  readonly mostConnections: number;
  readonly log: Log;
  readonly passedOn: PassedOn;
  /** What a node of this machine says of how much it does, by its code; undefined: there is none of that code. */
  readonly loadOf: (code: string) => Promise<string | undefined>;
}

/** More than any line takes. */
const LARGEST_HEADERS = 256 * 1024;
const HEADER_MILLISECONDS = 10_000;
/** The line that a request came over has its own limit; this one is for a node that died. */
const REQUEST_MILLISECONDS = 600_000;
/** Longer than nodes keep a connection without a request. */
const IDLE_MILLISECONDS = 65_000;
const REFUSALS_LOGGED_EVERY_MILLISECONDS = 10_000;

const LOAD_PATH = /^\/load\/([a-z0-9]+)$/;

/** Where other nodes pass requests on to this one. Nobody else is let in. */
export class InternalLine {
  readonly #options: InternalLineOptions;
  readonly #server: Server;
  /** With the requests under way at each. */
  readonly #connections = new Map<Duplex, number>();
  #isStopping = false;
  readonly #refusals = new LogThrottle(REFUSALS_LOGGED_EVERY_MILLISECONDS);

  constructor(options: InternalLineOptions) {
    this.#options = options;
    const { tls, passedOn, mostConnections } = options;
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
      this.#connections.set(connection, 0);
      connection.once('close', () => this.#connections.delete(connection));
    });
    this.#server.on('tlsClientError', (error, socket) => {
      this.#refused(error.message, socket.remoteAddress);
      socket.destroy();
    });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const carried = carriedRequest(request.headers);
      if (!this.#connections.has(request.socket)) request.socket.destroy();
      else if (carried === undefined) this.#see(this.#answer(request, response), request.socket);
      else {
        withoutCarried(request);
        this.#count(request.socket, response);
        this.#see(passedOn.request(carried, request, response), request.socket);
      }
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const carried = carriedRequest(request.headers);
      // Node listens no more, and whoever it is passed to may have to wait: a client that goes away meanwhile would end the process
      socket.on('error', () => {});
      if (carried === undefined || !this.#connections.has(socket)) {
        socket.destroy();
        return;
      }
      withoutCarried(request);
      this.#see(passedOn.upgrade(carried, request, socket, head), socket);
    });
  }

  /** The port that it has where any was asked for. */
  get port(): number | undefined {
    const address = this.#server.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  async start(): Promise<void> {
    const { address } = this.#options;
    // left behind by a process of the same code that was killed: nobody else may write there
    if (address.kind === 'unix') await rm(address.path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      const listening = () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => this.#options.log.error({ err: error }, 'error of the internal line'));
        resolve();
      };
      if (address.kind === 'unix') this.#server.listen({ path: address.path, exclusive: true }, listening);
      else this.#server.listen({ host: address.host, port: address.port }, listening);
    });
  }

  /** For new connections; those that there are go on with what they began with. */
  useTls(tls: ClusterTls): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext(serverTls(tls));
  }

  /** @param graceMilliseconds for the requests under way */
  async stop(graceMilliseconds: number): Promise<void> {
    this.#isStopping = true;
    // Node would cut off answers that are not completely sent
    this.#server.closeIdleConnections = () => {};
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [connection, underWay] of this.#connections) if (underWay === 0) connection.destroy();
    const grace = setTimeout(() => {
      for (const connection of this.#connections.keys()) connection.destroy();
    }, graceMilliseconds);
    await closed;
    clearTimeout(grace);
  }

  /** A node asks by itself, and not for a client. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, code] = LOAD_PATH.exec(request.url ?? '') ?? [];
    // it only asks whether this one is there
    if (code === undefined) {
      response.writeHead(204).end();
      return;
    }
    const load = await this.#options.loadOf(code).catch(() => undefined);
    if (load === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(load);
  }

  /** What fails ends its own connection alone. */
  #see(done: void | Promise<void>, connection: Duplex): void {
    Promise.resolve(done).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'what another node has passed on failed');
      connection.destroy();
    });
  }

  #count(connection: Duplex, response: ServerResponse): void {
    const add = (more: number) => this.#connections.set(connection, (this.#connections.get(connection) ?? 0) + more);
    add(1);
    if (this.#isStopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      if (!this.#connections.has(connection)) return;
      add(-1);
      if (this.#isStopping) connection.end();
    });
  }

  #isNode(connection: TLSSocket, name: string): boolean {
    const fault = checkServerIdentity(name, connection.getPeerCertificate());
    if (fault === undefined) return true;
    this.#refused(fault.message, connection.remoteAddress);
    connection.destroy();
    return false;
  }

  #refused(reason: string, remoteAddress: string | undefined): void {
    const withheld = this.#refusals.pass(performance.now());
    if (withheld === undefined) return;
    this.#options.log.warn({ reason, remoteAddress, withheld }, 'the internal line has refused a connection');
  }
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
