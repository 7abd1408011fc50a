import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ServiceError } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import type { TraceSinks } from '../../lib/log/trace-sinks.js';
import type { Metrics } from '../../lib/metrics.js';
import { FairTurns } from '../../lib/turns/fair-turns.js';
import { endWithAnswer, refusalBytes } from '../../lines/listener/refusal.js';
import { TrustedProxies } from '../../lines/listener/trusted-proxies.js';
import { TurnedInput } from '../../lines/listener/turned-input.js';
import { nodeOfSession, PassedSockets } from '../forwarding/forwarding.js';
import { nextRequestId } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import { refusal, serviceErrorOf } from '../http/error-response.js';
import { isSameOrigin } from '../http/request-origin.js';
import { parseRequestPath, type SessionPath, splitRequestTarget } from '../http/request-path.js';
import { checkRequestHost, checkRequestLimits } from '../http/request-reader.js';
import { arrivalOf, carriedOf, clientOf, noteSender, senderAddress } from '../http/request-sender.js';
import type { CompleteHeaders } from '../http/response-headers.js';
import { findSession, type SessionFinder } from '../sessions/session-page-router.js';
import { languageOf } from '../words/page-words.js';
import { FrameTrace } from './frame-trace.js';
import { ScreenSocket } from './screen-socket.js';

/** Bytes of a message. The encrypted fields of the largest screen need less. */
const LARGEST_MESSAGE_BYTES = 262_144;
/** Bytes processed per turn: up to 68 of the shortest requests. */
const MOST_PORTION_BYTES = 1_024;
const PING_MILLISECONDS = 30_000;

/** Without pages and hosts, which can change while the line has open WebSockets. */
interface SocketSite extends SessionFinder {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nodes: ClientSite['nodes'];
  readonly sinks: TraceSinks;
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Accepts WebSockets for sessions; from browsers only if the page has the same origin. */
export class SocketUpgrade {
  readonly #site: SocketSite;
  readonly #completeHeaders: CompleteHeaders;
  readonly #proxies: TrustedProxies;
  // compression needs 240 KiB per connection, and screens are small
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  });
  readonly #passed = new PassedSockets();
  readonly #pings = new SocketPings(this.#sockets.clients, PING_MILLISECONDS);

  constructor({ line, sessions, log, metrics, nodes, sinks }: SocketSite, completeHeaders: CompleteHeaders) {
    this.#site = { line, sessions, log, metrics, nodes, sinks };
    this.#completeHeaders = completeHeaders;
    this.#proxies = new TrustedProxies(line.trustedProxies);
    this.#sockets.on('wsClientError', (error, socket, request) => {
      const headers = { 'Sec-WebSocket-Version': '13' };
      this.#refuse(new ServiceError('SVC_ERR_REQUEST_SYNTAX', { detail: error.message, headers }), request, socket);
    });
  }

  readonly listener: UpgradeListener = (request, socket, head) => {
    socket.on('error', ignore);
    noteSender(request, this.#proxies);
    FairTurns.ofClients.start(clientOf(request), () => {
      if (!socket.destroyed) this.#upgrade(request, socket, head);
      return true;
    });
  };

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      const path = this.#pathOf(request);
      const { nodes, sessions, line } = this.#site;
      const node = sessions.node === undefined ? undefined : nodeOfSession(path, request, sessions.node);
      if (nodes !== undefined && node !== undefined && node !== sessions.node) {
        const asked = nodes.upgrade(node, request, carriedOf(request, line.name), arrivalOf(request));
        this.#passed
          .join(asked, socket, head)
          .catch((error: unknown) => this.#refuse(serviceErrorOf(error), request, socket));
        return;
      }
      const session = this.#sessionOf(path, request);
      this.#sockets.handleUpgrade(request, socket, head, (connection) => {
        socket.off('error', ignore);
        this.#pings.watch(connection);
        const { line, sinks, log, metrics } = this.#site;
        const { id } = session.session.conversation;
        const frames = new FrameTrace(connection, { sinks, line: line.name, requestId: nextRequestId(), session: id });
        const language = languageOf(request);
        const client = clientOf(request);
        inTurnsOf(client, socket);
        new ScreenSocket(connection, session.session, session.code, { log, metrics, language, frames, client });
      });
    } catch (error) {
      this.#refuse(serviceErrorOf(error), request, socket);
    }
  }

  #refuse(error: ServiceError, request: IncomingMessage, socket: Duplex): void {
    const { line, log } = this.#site;
    const requestId = nextRequestId();
    const remoteAddress = senderAddress(request);
    log.info({ line: line.name, code: error.code, requestId, remoteAddress }, 'WebSocket refused');
    const answer = refusal(error, request, this.#completeHeaders, requestId);
    endWithAnswer(socket, refusalBytes(answer));
  }

  close(): void {
    this.#pings.stop();
    this.#passed.close();
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #pathOf(request: IncomingMessage): SessionPath {
    checkRequestLimits(request, this.#site.line.limits);
    checkRequestHost(request, this.#site.line.hostNames);
    if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') {
      throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
    }
    if (!isSameOrigin(request)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
    const target = splitRequestTarget(request.url ?? '');
    const path = parseRequestPath(target.path);
    if (path.kind !== 'session') throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    return path;
  }

  #sessionOf(path: SessionPath, request: IncomingMessage) {
    const { session, code, wish } = findSession(this.#site, path, request);
    if (session === undefined || wish !== 'page') throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    return { session, code };
  }
}

function ignore(): void {}

function inTurnsOf(client: string, socket: Duplex): void {
  new TurnedInput(socket, FairTurns.ofClients, {
    peer: () => client,
    begins: false,
    portion: ({ length }) => Math.min(length, MOST_PORTION_BYTES),
    isFull: () => false,
  });
}

/** Parts of a round. Pinging all sockets at once would block other work. */
const PARTS = 30;

/** Pings each socket once per round and terminates sockets that did not answer the previous ping. */
export class SocketPings {
  readonly #sockets: ReadonlySet<WebSocket>;
  readonly #roundMilliseconds: number;
  readonly #unanswered = new WeakMap<WebSocket, number>();
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #round: Iterator<WebSocket> | undefined;
  #part = 0;

  constructor(sockets: ReadonlySet<WebSocket>, roundMilliseconds: number) {
    this.#sockets = sockets;
    this.#roundMilliseconds = roundMilliseconds;
  }

  watch(socket: WebSocket): void {
    socket.on('pong', () => this.#unanswered.delete(socket));
    this.#timer ??= setInterval(() => this.#tick(), this.#roundMilliseconds / PARTS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#ticks++ % PARTS === 0) {
      this.#round = this.#sockets.values();
      this.#part = Math.ceil(this.#sockets.size / PARTS);
    }
    for (let done = 0; done < this.#part; done++) {
      const next = this.#round?.next();
      if (next === undefined || next.done === true) return;
      this.#ping(next.value);
    }
  }

  #ping(socket: WebSocket): void {
    const since = this.#unanswered.get(socket);
    if (since === undefined) {
      this.#unanswered.set(socket, performance.now());
      socket.ping();
    } else if (performance.now() - since >= this.#roundMilliseconds / 2) {
      // a shorter time means that the turn came early because sockets before this one have closed
      socket.terminate();
    }
  }
}
