import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { readPemFile } from '../../config/read-pem-file.js';
import type { Log } from '../../lib/log/log.js';
import type { TraceSinks } from '../../lib/log/trace-sinks.js';
import type { Metrics } from '../../lib/metrics.js';
import { addressGroupOf } from '../../lib/network/addresses.js';
import { FairTurns } from '../../lib/turns/fair-turns.js';
import { readTlsFiles } from '../../lines/listener/http-server.js';
import { InboundLine, type LineRequestListener } from '../../lines/listener/inbound-line.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import { listenAddress } from '../../lines/listener/line-opening-error.js';
import { noteUnderWay } from '../../lines/listener/request-intake.js';
import { TrustedProxies } from '../../lines/listener/trusted-proxies.js';
import type { Condition } from '../../operation/health/health.js';
import type { LineReport, LineReportState } from '../../operation/line-operations.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { ClientSite } from '../../web/http/client-site.js';
import { refusalsOf } from '../../web/http/error-response.js';
import { clientOf, noteSender, plainAddress } from '../../web/http/request-sender.js';
import { type CompleteHeaders, lineHeaders } from '../../web/http/response-headers.js';
import { SocketUpgrade } from '../../web/terminal/socket-upgrade.js';

interface LineContext {
  readonly sessions: BrowserSessions;
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nodes: ClientSite['nodes'];
  readonly sinks: TraceSinks;
}

type Order = 'serve' | 'drain' | 'stop';

const EMPTYING_MILLISECONDS = 2_000;
/** Limit for requests in progress when a line is closed while the server runs. */
const CLOSING_MILLISECONDS = 5_000;

const notServed: LineRequestListener = () => {
  throw new Error('the line is not served yet');
};

export class ServedLine {
  definition: InboundLineDefinition;
  application: LineRequestListener = notServed;
  readonly completeHeaders: CompleteHeaders;
  readonly #context: LineContext;
  #line: InboundLine;
  #upgrade: SocketUpgrade;
  #order: Order = 'serve';
  #requests = 0;
  #refused = 0;
  #lastFault: LineReport['lastFault'];
  #release: () => void = () => {};
  /** Resolves when the port is free because the line closes. */
  readonly released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  constructor(definition: InboundLineDefinition, context: LineContext) {
    this.definition = definition;
    this.#context = context;
    this.completeHeaders = lineHeaders({ version: context.version, line: definition });
    this.#upgrade = this.#makeUpgrade();
    this.#line = this.#makeLine();
  }

  get name(): string {
    return this.definition.name;
  }

  get url(): string {
    return this.#line.url;
  }

  get isListening(): boolean {
    return this.#line.state === 'listening';
  }

  get waitsForPort(): boolean {
    return this.#line.waitsForPort;
  }

  get trouble(): string | undefined {
    return this.#line.trouble;
  }

  get isStopped(): boolean {
    return this.#order === 'stop';
  }

  get isDrained(): boolean {
    return this.#order === 'drain';
  }

  get report(): LineReport {
    const { name, externalName, portal, entryPoint } = this.definition;
    const { url, connections, certificate } = this.#line;
    return {
      name,
      externalName,
      url,
      entryPoint,
      state: this.#state,
      connections,
      sessions: this.#context.sessions.registry.sessionsOn(name),
      requests: this.#requests,
      refused: this.#refused,
      portal: portal !== undefined,
      lastFault: this.#lastFault,
      certificate: certificate && { expires: new Date(certificate.expires).toISOString(), fault: certificate.fault },
    };
  }

  get conditions(): readonly Condition[] {
    const { name, portal } = this.definition;
    const { certificate } = this.#line;
    // Balancers move users away from stopped and drained lines. Portal lines are not balanced, so their state does not
    // make the server unready.
    const hindersNobody = portal !== undefined && this.#order !== 'serve';
    const fault = this.#fault;
    const listening: Condition = {
      name: `line ${name}`,
      fault: async () => fault,
      ...(hindersNobody ? { isReady: true } : {}),
    };
    if (certificate === undefined) return [listening];
    // The current certificate is still valid, so the line stays ready.
    const renewal: Condition = {
      name: `certificate of line ${name}`,
      isReady: true,
      fault: async () => certificate.fault ?? certificate.endsSoon,
    };
    return [listening, renewal];
  }

  /** @throws LineOpeningError if the certificate or key is not usable */
  check(): void {
    const { name, tls } = this.definition;
    if (tls !== undefined) readTlsFiles(name, tls, readPemFile);
  }

  succeed({ isStopped, isDrained }: ServedLine): void {
    if (isStopped) {
      this.#order = 'stop';
      void this.discard();
    } else if (isDrained) this.#order = 'drain';
  }

  open(): Promise<void> {
    return this.#line.start();
  }

  async startAgain(): Promise<void> {
    const wasDrained = this.#order === 'drain' && this.isListening;
    this.#order = 'serve';
    this.#context.sessions.registry.takeNew(this.name);
    if (wasDrained) return;
    this.#upgrade = this.#makeUpgrade();
    this.#line = this.#makeLine();
    await this.#line.start();
  }

  drain(): void {
    this.#order = 'drain';
    this.#context.sessions.registry.refuseNew(this.name);
  }

  stopServing(): Promise<void> {
    this.#order = 'stop';
    return this.close();
  }

  /** Ends the sessions as at a server stop, and finishes requests in progress. */
  async close(): Promise<void> {
    const upgrade = this.#upgrade;
    const { registry } = this.#context.sessions;
    const closed = this.#closeLine();
    const ends = registry.sessions
      .filter(({ facts }) => facts.line === this.name)
      .map((session) => {
        const ended = new Promise<void>((resolve) => session.whenEnded(resolve));
        session.stop();
        return ended;
      });
    await Promise.all(ends);
    upgrade.close();
    await closed;
    registry.takeNew(this.name);
  }

  /** Closes the line for a successor of the same name, which keeps its sessions. */
  async leave(): Promise<void> {
    const closed = this.#closeLine(true);
    this.#upgrade.close();
    await closed;
  }

  /**
   * Closes the line without its sessions.
   * @param servesLast true to serve requests that still arrive, for example during a drain
   */
  stop(graceMilliseconds: number, servesLast: boolean): Promise<void> {
    return this.#line.stop(graceMilliseconds, { emptyingMilliseconds: EMPTYING_MILLISECONDS, servesLast });
  }

  /** Closes a line that has not served anything. */
  discard(): Promise<void> {
    return this.#line.stop(0);
  }

  /** Serves a forwarded request like a direct one, in the turn of its client. */
  answerPassedOn(request: IncomingMessage, response: ServerResponse): void {
    this.#requests++;
    const client = clientOf(request);
    FairTurns.ofClients.start(client, () => {
      // The other node has disconnected.
      if (response.destroyed) return true;
      const end = FairTurns.ofClients.underWay(client);
      noteUnderWay(request, end);
      response.once('close', end);
      const answered = (async () => this.application(request, response))();
      answered.catch((error: unknown) => {
        this.#context.log.error({ line: this.name, err: error }, 'a request failed');
        response.destroy();
      });
      return true;
    });
  }

  upgradePassedOn(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#upgrade.listener(request, socket, head);
  }

  closeSockets(): void {
    this.#upgrade.close();
  }

  async #closeLine(servesLast = false): Promise<void> {
    const options = { emptyingMilliseconds: EMPTYING_MILLISECONDS, servesLast, onReleased: this.#release };
    await this.#line.stop(CLOSING_MILLISECONDS, options);
    this.#release();
  }

  get #state(): LineReportState {
    const { state } = this.#line;
    if (state === 'closed') return 'stopped';
    return state === 'listening' && this.#order === 'drain' ? 'draining' : state;
  }

  get #fault(): string | undefined {
    if (this.#order === 'stop') return 'an operator has stopped it';
    if (!this.isListening) return 'it does not listen';
    return this.#order === 'drain' ? 'an operator has drained it: it accepts no new sessions' : undefined;
  }

  #makeUpgrade(): SocketUpgrade {
    const { sessions, log, metrics, nodes, sinks } = this.#context;
    return new SocketUpgrade({ line: this.definition, sessions, log, metrics, nodes, sinks }, this.completeHeaders);
  }

  #makeLine(): InboundLine {
    const { definition, completeHeaders } = this;
    const { log, metrics } = this.#context;
    const proxies = new TrustedProxies(definition.trustedProxies);
    const listener: LineRequestListener = (request, response) => {
      this.#requests++;
      return this.application(request, response);
    };
    return new InboundLine(definition, listener, log, refusalsOf(completeHeaders), {
      readPem: readPemFile,
      onRefused: (status) => {
        this.#refused++;
        metrics.requestAnswered(definition.name, 'refused', status, 0);
      },
      onFault: (reason) => {
        this.#lastFault = { at: new Date().toISOString(), reason };
      },
      upgrade: this.#upgrade.listener,
      clientOf: (remoteAddress) => {
        const address = plainAddress(remoteAddress);
        return proxies.has(address) ? undefined : addressGroupOf(address);
      },
      clientOfRequest: (request) => {
        noteSender(request, proxies);
        return clientOf(request);
      },
    });
  }
}

/** Replaces lines. A new line takes over the sessions of a removed line of the same name. */
export class LineSuccession {
  readonly #joining: readonly ServedLine[];
  readonly #leaving: readonly ServedLine[];
  /** New lines whose port is in use by a line being removed. */
  readonly #waiting: readonly ServedLine[];
  #serve: () => void = () => {};

  private constructor(joining: readonly ServedLine[], leaving: readonly ServedLine[]) {
    this.#joining = joining;
    this.#leaving = leaving;
    this.#waiting = joining.filter(({ definition: { port } }) =>
      leaving.some(({ isStopped, definition }) => !isStopped && port !== 0 && definition.port === port),
    );
    const isServed = new Promise<void>((resolve) => {
      this.#serve = resolve;
    });
    for (const line of joining) {
      line.application = async (request, response) => {
        await isServed;
        return line.application(request, response);
      };
    }
  }

  /**
   * Opens the new lines. Requests wait until `take` is called.
   * @param closed resolves when previously closed lines have freed their ports
   * @throws Error if a line cannot open
   */
  static async prepare(
    joining: readonly ServedLine[],
    leaving: readonly ServedLine[],
    closed: Promise<unknown>,
  ): Promise<LineSuccession> {
    const succession = new LineSuccession(joining, leaving);
    try {
      for (const line of joining) line.check();
      if (joining.length > 0) await closed;
      for (const line of joining) {
        if (succession.#waiting.includes(line)) continue;
        await line.open();
        const { name, definition, isListening, trouble } = line;
        if (!isListening) throw new Error(`line ${name}: cannot listen on ${listenAddress(definition)}: ${trouble}`);
      }
    } catch (error) {
      await Promise.all(joining.map((line) => line.discard()));
      throw error;
    }
    return succession;
  }

  get lines(): readonly ServedLine[] {
    return this.#joining;
  }

  /** @returns one promise per removed line, resolved when it is closed */
  take(): readonly Promise<void>[] {
    const closed = this.#leaving.map((line) => {
      const successor = this.#joining.find(({ name }) => name === line.name);
      if (successor === undefined) return line.close();
      successor.succeed(line);
      return line.leave();
    });
    this.#serve();
    void Promise.all(this.#leaving.map((line) => line.released)).then(() => {
      // A line that cannot listen retries, or its error is logged.
      for (const line of this.#waiting) if (!line.isStopped) line.open().catch(() => {});
    });
    return closed;
  }

  discard(): void {
    for (const line of this.#joining) void line.discard();
  }
}
