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

/** Requests under way with one node: what hangs at one of them takes nothing from those for others. */
const MOST_REQUESTS_TO_NODE = 256;
/** In which a node that is there takes a connection. */
const CONNECT_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 2_000;
const LONGEST_ANSWER = 262_144;

/** What is expected of a node that has taken a request. */
export interface NodePatience {
  /** How often one that says nothing is asked whether it is there. */
  readonly silenceMilliseconds: number;
  /** In which an answer begins, from the last byte of the request, even where the node is there. */
  readonly answerMilliseconds: number;
}

export interface PassingOptions {
  /** Has something done when the client goes away before it is answered. */
  readonly whenGone: (leave: () => void) => void;
  /** Where it was read already; undefined: it is passed on as it comes. */
  readonly body?: Buffer | undefined;
  /** Asked for in place of what the client accepts. */
  readonly accept?: string;
  /** In which something must move, even where the node is there; not given: that of the line. */
  readonly silenceMilliseconds?: number;
}

/** An answer to a WebSocket request: taken, with its connection, or refused. */
export type UpgradeAnswer =
  | { readonly kind: 'taken'; readonly head: IncomingMessage; readonly socket: Duplex; readonly first: Buffer }
  | { readonly kind: 'refused'; readonly answer: IncomingMessage };

/** The internal line to one other node. */
export class NodeLine {
  readonly address: NodeAddress;
  #agent: HttpAgent | HttpsAgent;
  readonly #patience: NodePatience;
  readonly #seal: Seal;
  readonly #open = new Set<ClientRequest>();
  readonly #sockets = new Set<Duplex>();

  /** @param tls undefined: the node is on this machine */
  constructor(address: NodeAddress, tls: ClusterTls | undefined, patience: NodePatience, seal: Seal) {
    this.address = address;
    this.#patience = patience;
    this.#seal = seal;
    this.#agent = agentOf(tls);
  }

  /** Whether a request or a WebSocket is under way. */
  get isInUse(): boolean {
    return this.#open.size + this.#sockets.size > 0;
  }

  /** For new connections; what is under way goes on. */
  useTls(tls: ClusterTls): void {
    this.#agent = agentOf(tls);
  }

  /**
   * Passes a request on, its body as it comes.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE, SVC_ERR_NODE_LATE
   */
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
          // the node does not wait for the rest, which the edge reads when it answers the client
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
   * Asks for a page on behalf of a request that is not passed on itself.
   * @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE
   */
  ask(
    path: string,
    { headers: { host = '', cookie = '' } }: IncomingMessage,
    carried: CarriedRequest,
  ): Promise<string> {
    return this.#asked(path, ['Host', host, 'Cookie', cookie, 'Accept', 'application/json'], carried);
  }

  /** What a node of that machine says of how much it does. @throws ServiceError SVC_ERR_SERVICE_BUSY, SVC_ERR_NODE_UNREACHABLE */
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
   * Passes a request for a WebSocket on.
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

  /** Whether the node answers. */
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

  /** Cuts off all that is under way: the node is gone. */
  close(): void {
    for (const outgoing of this.#open) outgoing.destroy();
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
  }

  /**
   * Gives a request up whose answer does not begin in time. One that has begun may go on for ever, unless it is a refusal.
   * @returns what ends the limit
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

  /** Gives a request up where the node is silent, and does not say that it is there. */
  #expectSigns(outgoing: ClientRequest): void {
    const { silenceMilliseconds } = this.#patience;
    const onSilence = async () => {
      const { socket } = outgoing;
      if (!(await this.isThere())) outgoing.destroy(new LateError(SILENT));
      // a request tells of the first time alone
      if (!outgoing.destroyed) socket?.setTimeout(silenceMilliseconds, onSilence);
    };
    outgoing.setTimeout(silenceMilliseconds, onSilence);
    outgoing.once('close', () => outgoing.socket?.off('timeout', onSilence));
  }

  /** The node did not open the seal: this one may have an earlier key, or the node is of an earlier version. */
  #notOpened(outgoing: ClientRequest): ServiceError {
    outgoing.destroy();
    void this.#seal.readAgain();
    return unreachable(new Error('it did not open the seal of the request: it has another key, or another version'));
  }

  #begin(
    { method = 'GET', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>,
    headers: readonly string[],
    { said, framing, isUpgrade = false }: Sent,
  ): ClientRequest {
    if (this.#open.size >= MOST_REQUESTS_TO_NODE) throw new ServiceError('SVC_ERR_SERVICE_BUSY');
    const seal = this.#seal.close(said, { method, url, framing, isUpgrade });
    // Node takes flat lists, which its types do not know
    const raw = [...headers, CARRIED_HEADER, seal] as unknown as NonNullable<RequestOptions['headers']>;
    const outgoing = this.#request({ method, path: url, headers: raw });
    this.#open.add(outgoing);
    outgoing.once('close', () => this.#open.delete(outgoing));
    const late = setTimeout(() => outgoing.destroy(new Error('it took no connection')), CONNECT_MILLISECONDS);
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

/** What is sent with a request, besides its headers. */
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
    // the name of the cluster, whatever the address of the node is
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

const SILENT = 'it has been silent';
const UNANSWERED = 'it is there, and has not answered';

/** The node has taken a request, and does not answer it. */
class LateError extends Error {}

function unreachable(cause: Error): ServiceError {
  if (cause instanceof LateError) return new ServiceError('SVC_ERR_NODE_LATE', { detail: cause.message, cause });
  return new ServiceError('SVC_ERR_NODE_UNREACHABLE', { detail: cause.message, cause });
}

/** Bytes that come before anything is asked would answer the next request, of another client. */
function endConnection(this: Socket): void {
  this.destroy();
}

/** Ends connections on which a node says something between two requests. */
function endOnEarlyAnswers(agent: HttpAgent | HttpsAgent): void {
  agent.on('free', (socket: Socket) => socket.on('data', endConnection));
}

/** What comes from now on answers this request. */
function expectAnswer(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => socket.off('data', endConnection));
}

type Outgoing = Writable & { destroy(error?: Error): unknown };

/**
 * Sends a body as it comes, with as many bytes as the framing says. A body that ends earlier or later ends the connection, so that
 * the node behind it never takes the rest for a request.
 * @returns what has the rest left to others
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
