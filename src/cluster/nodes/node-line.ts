import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { checkServerIdentity } from 'node:tls';
import { ServiceError } from '../../lib/errors.js';
import { CARRIED_HEADER, type CarriedRequest, OWN_QUESTION } from './carried-request.js';
import type { ClusterTls, NodeAddress } from './node-store.js';
import { type Framing, framingOf, passedHeaders, requestFraming } from './passed-headers.js';
import { isOfLine, type Seal } from './seal.js';

/** Limit per node, so that a hanging node does not use up the requests for other nodes. */
const MOST_REQUESTS_TO_NODE = 256;
const CONNECT_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 2_000;
const LONGEST_ANSWER = 262_144;

export interface NodePatience {
  /** Interval of presence checks while a request gets no data. */
  readonly silenceMilliseconds: number;
  /** Limit from the last byte of the request to the start of the response. */
  readonly answerMilliseconds: number;
}

export interface PassingOptions {
  /** Registers a function to call if the client disconnects before the response. */
  readonly whenGone: (leave: () => void) => void;
  /** Body that was already read. Undefined: forward it as it arrives. */
  readonly body?: Buffer | undefined;
  readonly accept?: string;
  /** Limit without data in either direction. Default: that of the line. */
  readonly silenceMilliseconds?: number;
}

export type UpgradeAnswer =
  | { readonly kind: 'taken'; readonly head: IncomingMessage; readonly socket: Duplex; readonly first: Buffer }
  | { readonly kind: 'refused'; readonly answer: IncomingMessage };

export class NodeLine {
  readonly address: NodeAddress;
  #agent: HttpAgent | HttpsAgent;
  readonly #patience: NodePatience;
  readonly #seal: Seal;
  readonly #open = new Set<ClientRequest>();
  readonly #sockets = new Set<Duplex>();

  constructor(address: NodeAddress, tls: ClusterTls | undefined, patience: NodePatience, seal: Seal) {
    this.address = address;
    this.#patience = patience;
    this.#seal = seal;
    this.#agent = agentOf(tls);
  }

  get isInUse(): boolean {
    return this.#open.size + this.#sockets.size > 0;
  }

  /** Applies to new connections. */
  useTls(tls: ClusterTls): void {
    this.#agent = agentOf(tls);
  }

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE, SVC_ERR_NODE_LATE */
  pass(
    incoming: IncomingMessage,
    carried: CarriedRequest,
    { whenGone, body, accept, silenceMilliseconds }: PassingOptions,
  ): Promise<IncomingMessage> {
    const framing = requestFraming(incoming.method ?? '', body?.length ?? framingOf(incoming.headers));
    const headers = passedHeaders(incoming, framing);
    if (accept !== undefined) setHeader(headers, 'Accept', accept);
    const outgoing = this.#begin(incoming, headers, { said: carried, framing });
    if (silenceMilliseconds === undefined) this.#expectSigns(outgoing);
    else outgoing.setTimeout(silenceMilliseconds, () => outgoing.destroy(new LateError(SILENT)));
    this.#expectAnswer(outgoing, incoming);
    whenGone(() => outgoing.destroy());
    return new Promise((resolve, reject) => {
      outgoing.once('error', (error) => reject(unreachable(error)));
      let stopSending = () => {};
      outgoing.once('response', (answer) => {
        if (!incoming.complete) {
          // The node does not read the rest. It is read when the client gets its response.
          stopSending();
          answer.once('end', () => outgoing.destroy());
        }
        if (isOfLine(answer)) resolve(answer);
        else reject(this.#notOpened(outgoing));
      });
      if (body === undefined) stopSending = sendBody(incoming, outgoing, framing);
      else outgoing.end(body);
    });
  }

  /**
   * Requests a page on behalf of a client whose own request is not forwarded.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE
   */
  ask(
    path: string,
    { headers: { host = '', cookie = '' } }: IncomingMessage,
    carried: CarriedRequest,
  ): Promise<string> {
    return this.#asked(path, ['Host', host, 'Cookie', cookie, 'Accept', 'application/json'], carried);
  }

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE */
  loadOf(code: string): Promise<string> {
    return this.#asked(`/load/${code}`, ['Host', 'node'], OWN_QUESTION);
  }

  #asked(path: string, headers: string[], said: CarriedRequest | typeof OWN_QUESTION): Promise<string> {
    const outgoing = this.#begin({ method: 'GET', url: path }, headers, { said, framing: 'none' });
    outgoing.setTimeout(LOOK_MILLISECONDS, () => outgoing.destroy(new LateError(SILENT)));
    return new Promise((resolve, reject) => {
      outgoing.once('error', (error) => reject(unreachable(error)));
      outgoing.once('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (text.length > LONGEST_ANSWER) outgoing.destroy(new Error('its answer is too long'));
        });
        answer.once('error', (error) => reject(unreachable(error)));
        answer.once('end', () => {
          if (answer.statusCode === 200) resolve(text);
          else if (!isOfLine(answer)) reject(this.#notOpened(outgoing));
          else reject(unreachable(new Error(`it answers ${answer.statusCode}`)));
        });
      });
      outgoing.end();
    });
  }

  /**
   * Forwards a WebSocket request.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE, SVC_ERR_NODE_LATE
   */
  upgrade(incoming: IncomingMessage, carried: CarriedRequest): Promise<UpgradeAnswer> {
    const headers = [...passedHeaders(incoming, 'none'), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
    const outgoing = this.#begin(incoming, headers, { said: carried, framing: 'none', isUpgrade: true });
    this.#expectSigns(outgoing);
    const answered = this.#expectAnswer(outgoing, incoming);
    return new Promise((resolve, reject) => {
      outgoing.once('error', (error) => reject(unreachable(error)));
      outgoing.once('response', (answer) => {
        if (isOfLine(answer)) resolve({ kind: 'refused', answer });
        else reject(this.#notOpened(outgoing));
      });
      outgoing.once('upgrade', (head, socket, first) => {
        answered();
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
        resolve({ kind: 'taken', head, socket, first });
      });
      outgoing.end();
    });
  }

  isThere(): Promise<boolean> {
    return new Promise((resolve) => {
      const seal = this.#seal.close(OWN_QUESTION, { method: 'GET', url: '/', framing: 'none', isUpgrade: false });
      const outgoing = this.#request({ method: 'GET', path: '/', headers: { Host: 'node', [CARRIED_HEADER]: seal } });
      const late = setTimeout(() => outgoing.destroy(), LOOK_MILLISECONDS);
      const done = (isThere: boolean) => {
        clearTimeout(late);
        resolve(isThere);
      };
      outgoing.once('response', (answer) => {
        answer.resume();
        done(true);
      });
      outgoing.once('close', () => done(false));
      outgoing.on('error', () => {});
      outgoing.end();
    });
  }

  close(): void {
    for (const outgoing of this.#open) outgoing.destroy();
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
  }

  /**
   * Aborts the request if its response does not start in time. After that, only error responses (400 and above) have a
   * limit.
   * @returns function that removes the limit
   */
  #expectAnswer(outgoing: ClientRequest, incoming: IncomingMessage): () => void {
    const late = setTimeout(() => outgoing.destroy(new LateError(UNANSWERED)), this.#patience.answerMilliseconds);
    const onBody = () => late.refresh();
    const over = () => {
      incoming.off('data', onBody);
      clearTimeout(late);
    };
    if (!incoming.complete) incoming.on('data', onBody);
    outgoing.once('close', over);
    outgoing.once('response', ({ statusCode = 502 }) => {
      if (statusCode < 400) over();
    });
    return over;
  }

  /** Aborts the request if the node sends no data and does not answer a presence check. */
  #expectSigns(outgoing: ClientRequest): void {
    const { silenceMilliseconds } = this.#patience;
    const onSilence = async () => {
      const { socket } = outgoing;
      if (!(await this.isThere())) outgoing.destroy(new LateError(SILENT));
      // `ClientRequest` reports only the first timeout.
      if (!outgoing.destroyed) socket?.setTimeout(silenceMilliseconds, onSilence);
    };
    outgoing.setTimeout(silenceMilliseconds, onSilence);
    outgoing.once('close', () => outgoing.socket?.off('timeout', onSilence));
  }

  #notOpened(outgoing: ClientRequest): ServiceError {
    outgoing.destroy();
    void this.#seal.readAgain();
    return unreachable(new Error('it rejected the seal of the request: it has another key, or another version'));
  }

  #begin(
    { method = 'GET', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>,
    headers: readonly string[],
    { said, framing, isUpgrade = false }: Sent,
  ): ClientRequest {
    if (this.#open.size >= MOST_REQUESTS_TO_NODE) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    const seal = this.#seal.close(said, { method, url, framing, isUpgrade });
    // Node.js accepts flat lists, but its types do not.
    const raw = [...headers, CARRIED_HEADER, seal] as unknown as NonNullable<RequestOptions['headers']>;
    const outgoing = this.#request({ method, path: url, headers: raw });
    this.#open.add(outgoing);
    outgoing.once('close', () => this.#open.delete(outgoing));
    const late = setTimeout(() => outgoing.destroy(new Error('it did not accept a connection')), CONNECT_MILLISECONDS);
    const arrived = () => clearTimeout(late);
    outgoing.once('close', arrived);
    outgoing.once('socket', (socket) => {
      if (!socket.connecting && socket.bytesWritten > 0) arrived();
      else socket.once(this.address.kind === 'unix' ? 'connect' : 'secureConnect', arrived);
    });
    return outgoing;
  }

  #request(options: RequestOptions): ClientRequest {
    const { address } = this;
    const outgoing =
      address.kind === 'unix'
        ? httpRequest({ ...options, agent: this.#agent, socketPath: address.path })
        : httpsRequest({ ...options, agent: this.#agent, host: address.host, port: address.port });
    expectAnswer(outgoing);
    return outgoing;
  }
}

interface Sent {
  readonly said: CarriedRequest | typeof OWN_QUESTION;
  readonly framing: Framing;
  readonly isUpgrade?: boolean;
}

function agentOf(tls: ClusterTls | undefined): HttpAgent | HttpsAgent {
  const bounds = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  const agent = tls === undefined ? new HttpAgent(bounds) : new HttpsAgent({ ...bounds, ...clientTls(tls) });
  endOnEarlyAnswers(agent);
  return agent;
}

function clientTls({ cert, key, ca, name }: ClusterTls): AgentOptions {
  return {
    cert,
    key,
    ca,
    minVersion: 'TLSv1.3',
    // The certificate has the name of the cluster, not of the node.
    servername: name,
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
  };
}

function setHeader(headers: string[], name: string, value: string): void {
  for (let index = headers.length - 2; index >= 0; index -= 2) {
    if (headers[index]?.toLowerCase() === name.toLowerCase()) headers.splice(index, 2);
  }
  headers.push(name, value);
}

const SILENT = 'it stopped responding';
const UNANSWERED = 'it is running, but has not answered';

class LateError extends Error {}

function unreachable(cause: Error): ServiceError {
  if (cause instanceof LateError) return new ServiceError('SVC_ERR_NODE_LATE', { detail: cause.message, cause });
  return new ServiceError('SVC_ERR_NODE_UNREACHABLE', { detail: cause.message, cause });
}

/** Unsolicited bytes would be read as the response to the next request, of another client. */
function endConnection(this: Socket): void {
  this.destroy();
}

function endOnEarlyAnswers(agent: HttpAgent | HttpsAgent): void {
  agent.on('free', (socket: Socket) => socket.on('data', endConnection));
}

function expectAnswer(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => socket.off('data', endConnection));
}

type Outgoing = Writable & { destroy(error?: Error): unknown };

/**
 * Forwards a body with exactly the framed length. If the body is shorter or longer, the connection is closed, so that
 * the node cannot read the rest as another request.
 * @returns function that stops forwarding
 */
export function sendBody(incoming: Readable, outgoing: Outgoing, framing: Framing): () => void {
  const expected = framing === 'chunked' ? undefined : framing === 'none' ? 0 : framing;
  let sent = 0;
  const onData = (piece: Buffer) => {
    sent += piece.length;
    if (expected !== undefined && sent > expected) fail('the body is longer than its length');
  };
  const onEnd = () => {
    if (expected === undefined || sent === expected) outgoing.end();
    else fail('the body is shorter than its length');
  };
  const stop = () => {
    incoming.off('data', onData).off('end', onEnd).unpipe(outgoing);
  };
  const fail = (reason: string) => {
    stop();
    outgoing.destroy(new Error(reason));
  };
  incoming.on('data', onData).once('end', onEnd);
  incoming.pipe(outgoing, { end: false });
  return stop;
}
