import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { CarriedRequest } from '../../cluster/nodes/carried-request.js';
import type { PassedOn } from '../../cluster/nodes/internal-line.js';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import type { Log } from '../../lib/log/log.js';
import type { TraceSinks } from '../../lib/log/trace-sinks.js';
import type { Metrics } from '../../lib/metrics.js';
import { EntryPoint } from '../../lines/entry-point/entry-point.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import type { Condition } from '../../operation/health/health.js';
import type { LineReport, OperatedLines } from '../../operation/line-operations.js';
import type { ServerState } from '../../operation/metrics/prometheus-metrics.js';
import { type ScenarioOrigin, serviceKey } from '../../sessions/scenario-sessions.js';
import { createClientApp } from '../../web/client-app.js';
import type { ClientSite, LineAddress, PortalOperations } from '../../web/http/client-site.js';
import { noteCarried } from '../../web/http/request-sender.js';
import { type Listener, type Part, type Replacement, unchanged, WAITS_FOR_PORT } from '../part.js';
import type { ApiPart } from './api-part.js';
import type { DemoPart } from './demo-part.js';
import type { HostsPart } from './hosts-part.js';
import type { MacrosPart } from './macros-part.js';
import type { OutboundPart } from './outbound-part.js';
import type { PagesPart } from './pages-part.js';
import type { PrintersPart } from './printers-part.js';
import type { RecordingsPart } from './recordings-part.js';
import type { ScenariosPart } from './scenarios-part.js';
import type { SecurityPart } from './security-part.js';
import { LineSuccession, ServedLine } from './served-line.js';
import type { SessionsPart } from './sessions-part.js';
import type { SettingsPart } from './settings-part.js';

interface ServedParts {
  readonly pages: PagesPart;
  readonly scenarios: ScenariosPart;
  readonly outbound: OutboundPart;
  readonly hosts: HostsPart;
  readonly api: ApiPart;
  readonly demo: DemoPart;
  readonly sessions: SessionsPart;
  readonly security: SecurityPart;
  readonly macros: MacrosPart;
  readonly settings: SettingsPart;
  readonly recordings: RecordingsPart;
  readonly printers: PrintersPart;
}

interface LinesContext {
  readonly metrics: Metrics;
  readonly sinks: TraceSinks;
  readonly nodes: () => ClientSite['nodes'];
  readonly isDrained: () => boolean;
}

type Settings = Pick<Configuration, 'inboundLines' | 'entryPoints'>;

/**
 * Inbound lines and their entry points. Each line has one application, built from all other parts. If one of these
 * changes, the line gets a new application, and requests in progress finish in the previous one.
 */
export class LinesPart implements Part, OperatedLines {
  readonly name = 'inbound lines';
  readonly reads = ['inboundLines', 'entryPoints'] as const;
  readonly #parts: ServedParts;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #sinks: TraceSinks;
  readonly #nodes: LinesContext['nodes'];
  readonly #isDrained: LinesContext['isDrained'];
  readonly #version = installedVersion();
  #settings: Settings;
  #lines: readonly ServedLine[] = [];
  /** Removed lines, and lines that an operator stops. */
  readonly #closing = new Set<Promise<void>>();
  #begin: () => void = () => {};
  /** Other nodes can reach this server before its lines exist. */
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  readonly #operations: () => PortalOperations;

  constructor(
    { inboundLines, entryPoints }: Configuration,
    parts: ServedParts,
    operations: () => PortalOperations,
    log: Log,
    { metrics, sinks, nodes, isDrained }: LinesContext,
  ) {
    this.#nodes = nodes;
    this.#isDrained = isDrained;
    this.#operations = operations;
    this.#metrics = metrics;
    this.#sinks = sinks;
    this.#settings = { inboundLines, entryPoints };
    this.#parts = parts;
    this.#log = log;
  }

  get listeners(): readonly Listener[] {
    return this.#lines.map(listenerOf);
  }

  get withoutPort(): readonly InboundLineDefinition[] {
    return this.#lines.filter(({ waitsForPort }) => waitsForPort).map(({ definition }) => definition);
  }

  get states(): ServerState['lines'] {
    return this.#lines.map(({ name, report: { connections, certificate }, isListening, isStopped }) => ({
      name,
      connections,
      isListening: isStopped ? undefined : isListening,
      certificateExpires: certificate && Date.parse(certificate.expires),
    }));
  }

  get conditions(): readonly Condition[] {
    return this.#lines.flatMap(({ conditions }) => conditions);
  }

  get entryPoints(): Settings['entryPoints'] {
    return this.#settings.entryPoints;
  }

  get reports(): readonly LineReport[] {
    return this.#lines.map(({ report }) => report);
  }

  readonly passedOn: PassedOn = {
    request: async (carried, request, response) => {
      await this.#begun;
      const served = this.#passedTo(carried, request);
      if (served === undefined) response.writeHead(404).end();
      else served.answerPassedOn(request, response);
    },
    upgrade: async (carried, request, socket, head) => {
      await this.#begun;
      const served = this.#passedTo(carried, request);
      if (served === undefined) socket.destroy();
      else served.upgradePassedOn(request, socket, head);
    },
  };

  startLine(name: string): Promise<void> {
    return this.#served(name).startAgain();
  }

  stopLine(name: string): void {
    this.#noteClosing(this.#served(name).stopServing());
  }

  drainLine(name: string): void {
    this.#served(name).drain();
  }

  async start(): Promise<void> {
    this.#lines = this.#settings.inboundLines.map((definition) => this.#makeLine(definition));
    this.#serve(this.#settings);
    this.#begin();
    await Promise.all(this.#lines.map((served) => served.open()));
  }

  async stop(graceMilliseconds: number): Promise<void> {
    // Event streams never end by themselves.
    this.#operations().streams.close();
    const { registry } = this.#parts.sessions.service;
    // A drained server still gets requests, but has had no new sessions for a while.
    const servesLast = this.#isDrained();
    // Lines wait for sessions to notify their pages, and for nothing else of the sessions.
    const sessionsOver = (servesLast ? registry.endAll() : registry.stop()).then(() => {
      for (const served of this.#lines) served.closeSockets();
    });
    const linesClosed = this.#lines.map((served) => served.stop(graceMilliseconds, servesLast));
    await Promise.all([sessionsOver, ...linesClosed, ...this.#closing]);
  }

  /**
   * Applies entry points, their assignment to lines, new lines and removed lines. A changed line is closed and
   * reopened. Its sessions stay, and their pages reconnect.
   */
  async replace({ inboundLines, entryPoints, tct }: Configuration): Promise<Replacement> {
    const settings = { entryPoints, inboundLines };
    const running = new Map(this.#lines.map((served) => [served.name, served]));
    const joining = inboundLines.filter((line) => !isSameListener(line, running.get(line.name)?.definition));
    const leaving = this.#lines.filter(
      ({ name }) => joining.some((line) => line.name === name) || inboundLines.every((line) => line.name !== name),
    );
    const lineNames = new Set([...joining, ...leaving].map(({ name }) => `lines.${name}`));
    const isSame =
      isDeepStrictEqual(entryPoints, this.#settings.entryPoints) &&
      inboundLines.every(
        ({ name, entryPoint }) => (running.get(name)?.definition.entryPoint ?? entryPoint) === entryPoint,
      );
    const changes = [...(isSame ? [] : ['entryPoints']), ...lineNames];
    if (changes.length === 0) return { ...unchanged, take: () => this.#serve(this.#settings) };
    if (!this.#parts.sessions.hasCrypts(tct)) {
      const reason = 'transactions name field encryptions (tct), which need a restart';
      const needsRestart = changes.map((what) => ({ what, reason }));
      return { ...unchanged, needsRestart, take: () => this.#serve(this.#settings) };
    }
    const made = joining.map((definition) => this.#makeLine(definition));
    const succession = await LineSuccession.prepare(made, leaving, Promise.all(this.#closing));
    return {
      ...unchanged,
      takenOver: changes,
      take: () => {
        const lines = [...this.#lines.filter((served) => !leaving.includes(served)), ...succession.lines];
        const byName = new Map(lines.map((served) => [served.name, served]));
        this.#lines = inboundLines.flatMap(({ name }) => byName.get(name) ?? []);
        this.#serve(settings);
        for (const closed of succession.take()) this.#noteClosing(closed);
      },
      discard: () => succession.discard(),
    };
  }

  #passedTo(carried: CarriedRequest, request: IncomingMessage): ServedLine | undefined {
    const isFromFar = 'encrypted' in request.socket && request.socket.encrypted === true;
    noteCarried(request, carried, isFromFar ? 'https' : 'unix');
    return this.#lines.find(({ name, isStopped }) => name === carried.line && !isStopped);
  }

  #served(name: string): ServedLine {
    const served = this.#lines.find((line) => line.name === name);
    if (served === undefined) throw new Error(`no line ${name}`);
    return served;
  }

  #noteClosing(closed: Promise<void>): void {
    const closing = closed.finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #serve(settings: Settings): void {
    this.#settings = settings;
    this.#parts.sessions.service.services.serveOnly(this.#serviceOrigins());
    const siteOf = this.#sites();
    for (const served of this.#lines) {
      const definition = settings.inboundLines.find(({ name }) => name === served.definition.name);
      if (definition === undefined) continue;
      served.definition = definition;
      served.application = createClientApp(siteOf(definition), served.completeHeaders);
    }
  }

  #serviceOrigins(): ReadonlyMap<string, ScenarioOrigin> {
    const { sessionHosts } = this.#parts.hosts;
    const origins = new Map<string, ScenarioOrigin>();
    for (const { name: entryPoint, transactions } of this.#settings.entryPoints) {
      for (const { name, application = '', tioaAtLogon, tioaAtLogoff } of transactions) {
        origins.set(serviceKey(entryPoint, name), { host: sessionHosts.get(application), tioaAtLogon, tioaAtLogoff });
      }
    }
    return origins;
  }

  #makeLine(definition: InboundLineDefinition): ServedLine {
    const { service: sessions } = this.#parts.sessions;
    const [version, log, metrics] = [this.#version, this.#log, this.#metrics];
    return new ServedLine(definition, { sessions, version, log, metrics, nodes: this.#nodes(), sinks: this.#sinks });
  }

  #sites(): (definition: InboundLineDefinition) => ClientSite {
    const {
      pages: pagesPart,
      outbound,
      hosts,
      demo,
      sessions,
      security,
      macros,
      scenarios,
      settings,
      recordings,
      printers,
      api,
    } = this.#parts;
    const pages = pagesPart.pages;
    const service = scenarios.serviceWith(pages, outbound.lines);
    const shared = {
      version: this.#version,
      demoCurrencyService: demo.site,
      addressOfLine: (name: string) => this.#addressOfLine(name),
      log: this.#log,
      metrics: this.#metrics,
      findPage: pages.find,
      findShippedPage: pagesPart.findShipped,
      scenarios: service,
      defaultCodePage: scenarios.codePage,
      sessions: sessions.service,
      hosts: hosts.sessionHosts,
      nodes: this.#nodes(),
      macros: macros.site,
      settings: settings.store,
      recordings: recordings.site,
      printers,
      audit: security.users.audit,
    } satisfies Partial<ClientSite>;
    const entryPoints = new Map(
      this.#settings.entryPoints.map((definition) => [definition.name, new EntryPoint(definition)]),
    );
    return (line) => {
      const entryPoint = entryPoints.get(line.entryPoint);
      if (entryPoint === undefined) throw new Error(`line ${line.name}: no entry point ${line.entryPoint}`);
      const { security: users, portal } = security.partsOf(line);
      return {
        ...shared,
        line,
        entryPoint,
        tracing: { sinks: this.#sinks, isPortal: line.portal !== undefined, secretMembers: () => api.secretParameters },
        services: line.portal === undefined ? api.siteOf(entryPoint.definition) : undefined,
        security: users,
        portal: portal && { ...portal, ...this.#operations() },
      };
    };
  }

  /** The actual port, also for a configured port 0. */
  #addressOfLine(name: string): LineAddress | undefined {
    const served = this.#lines.find(({ definition }) => definition.name === name);
    if (served === undefined) return undefined;
    const { host } = served.definition;
    const isEverywhere = host === '0.0.0.0' || host === '::';
    return { host: isEverywhere ? undefined : host, port: Number(/:(\d+)$/.exec(served.url)?.[1]) };
  }
}

function isSameListener(one: InboundLineDefinition, other: InboundLineDefinition | undefined): boolean {
  return other !== undefined && isDeepStrictEqual({ ...one, entryPoint: '' }, { ...other, entryPoint: '' });
}

function listenerOf({ definition, url, isListening }: ServedLine): Listener {
  const waits = isListening ? '' : WAITS_FOR_PORT;
  return { name: definition.name, url, purpose: `${purposeOf(definition)}${waits}` };
}

function purposeOf({ portal, entryPoint }: InboundLineDefinition): string {
  return `${portal === 'administration' ? 'administration portal' : 'client line'}, entry point ${entryPoint}`;
}
