import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { ServiceError } from '../../errors.js';
import { refusalBytes } from '../../line/refusal.js';
import { TrustedProxies } from '../../line/trusted-proxies.js';
import type { Log } from '../../log.js';
import type { Measures } from '../../measures.js';
import type { TraceTaps } from '../../trace-taps.js';
import { refusal, serviceErrorOf } from '../http/error-response.js';
import type { CompleteHeaders } from '../http/line-headers.js';
import { checkRequestHost } from '../http/request-host.js';
import { nextRequestId } from '../http/request-id.js';
import { checkRequestLimits } from '../http/request-limits.js';
import { isSameOrigin } from '../http/request-origin.js';
import { parseRequestPath, splitRequestTarget } from '../http/request-path.js';
import { noteSender, senderAddress } from '../http/request-sender.js';
import { findSession, type SessionFinder } from '../sessions/session-router.js';
import { traceFrames } from './frame-trace.js';
import { ScreenSocket } from './screen-socket.js';
import { SocketPings } from './socket-pings.js';

/** Bytes of a message: the fields of the largest screen, encrypted, are fewer. */
const LARGEST_MESSAGE_BYTES = 262_144;
/** A page that has not answered to the ping before is gone. */
const PING_MILLISECONDS = 30_000;

/** Not the pages and hosts: those of a line may change while it has WebSockets. */
interface SocketSite extends SessionFinder {
  readonly log: Log;
  readonly measures: Measures;
  /** Where operators trace the lines. */
  readonly taps: TraceTaps;
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Takes requests for a WebSocket: at the address of a session, from a page of this very server. */
export class SocketUpgrade {
  readonly #site: SocketSite;
  readonly #completeHeaders: CompleteHeaders;
  readonly #proxies: TrustedProxies;
  // compression would take 240 KiB a connection, and screens are short
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  });
  readonly #pings = new SocketPings(this.#sockets.clients, PING_MILLISECONDS);

  constructor({ line, sessions, log, measures, taps }: SocketSite, completeHeaders: CompleteHeaders) {
    this.#site = { line, sessions, log, measures, taps };
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
    try {
      const session = this.#sessionOf(request);
      this.#sockets.handleUpgrade(request, socket, head, (connection) => {
        socket.off('error', ignore);
        this.#pings.watch(connection);
        const { line, taps } = this.#site;
        const { id } = session.session.conversation;
        traceFrames(connection, { taps, line: line.name, requestId: nextRequestId(), session: id });
        new ScreenSocket(connection, session.session, session.code, this.#site);
      });
    } catch (error) {
      this.#refuse(serviceErrorOf(error), request, socket);
    }
  };

  #refuse(error: ServiceError, request: IncomingMessage, socket: Duplex): void {
    const { line, log } = this.#site;
    const requestId = nextRequestId();
    const remoteAddress = senderAddress(request);
    log.info({ line: line.name, code: error.code, requestId, remoteAddress }, 'WebSocket refused');
    const answer = refusal(error, request, this.#completeHeaders, requestId);
    socket.end(refusalBytes(answer), () => socket.destroy());
  }

  /** Cuts every page off. */
  close(): void {
    this.#pings.stop();
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #sessionOf(request: IncomingMessage) {
    checkRequestLimits(request, this.#site.line.limits);
    checkRequestHost(request, this.#site.line.hostNames);
    if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') {
      throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
    }
    if (!isSameOrigin(request)) throw new ServiceError('SVC_ERR_REQUEST_ORIGIN');
    const target = splitRequestTarget(request.url ?? '');
    const path = parseRequestPath(target.path);
    if (path.kind !== 'session') throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    const { session, code, isStatusOnly } = findSession(this.#site, path, request);
    if (session === undefined || isStatusOnly) throw new ServiceError('SVC_ERR_SESSION_UNKNOWN');
    return { session, code };
  }
}

function ignore(): void {}
