import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { EntryPoint } from '../../entry-point/entry-point.js';
import { InboundLine, type LineRequestListener } from '../../line/inbound-line.js';
import type { InboundLineDefinition } from '../../line/line-definition.js';
import type { Log } from '../../log.js';
import { addressGroupOf } from '../../session/address-group.js';
import { createClientApp } from '../../web/client-app.js';
import type { ClientSite, LineAddress } from '../../web/http/client-site.js';
import { refusalsOf } from '../../web/http/error-response.js';
import { type CompleteHeaders, lineHeaders } from '../../web/http/line-headers.js';
import { clientAddress } from '../../web/http/request-names.js';
import { SocketUpgrade } from '../../web/terminal/socket-upgrade.js';
import { type Listener, WAITS_FOR_PORT } from '../listener.js';
import { type NeedsRestart, type Part, type Replacement, unchanged } from '../part.js';
import type { ApiPart } from './api-part.js';
import type { DemoPart } from './demo-part.js';
import type { HostsPart } from './hosts-part.js';
import type { MacrosPart } from './macros-part.js';
import type { OutboundPart } from './outbound-part.js';
import type { PagesPart } from './pages-part.js';
import type { RecordingsPart } from './recordings-part.js';
import type { ScenariosPart } from './scenarios-part.js';
import type { SecurityPart } from './security-part.js';
import type { SessionsPart } from './sessions-part.js';

/** What the requests of lines are answered with. */
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
  readonly recordings: RecordingsPart;
}

interface ServedLine {
  definition: InboundLineDefinition;
  readonly line: InboundLine;
  readonly upgrade: SocketUpgrade;
  readonly completeHeaders: CompleteHeaders;
  /** What answers the requests that arrive now. */
  application: LineRequestListener;
}

type Settings = Pick<Configuration, 'inboundLines' | 'entryPoints'>;

const EMPTYING_MILLISECONDS = 2_000;

/**
 * The inbound lines and their entry points. Each line has one application, made of what all other parts serve; where
 * one of them is exchanged the line gets a new application, and requests under way end in the one they began in.
 */
export class LinesPart implements Part {
  readonly name = 'inbound lines';
  readonly reads = ['inboundLines', 'entryPoints'] as const;
  readonly #parts: ServedParts;
  readonly #log: Log;
  readonly #version = installedVersion();
  #settings: Settings;
  #lines: readonly ServedLine[] = [];

  constructor({ inboundLines, entryPoints }: Configuration, parts: ServedParts, log: Log) {
    this.#settings = { inboundLines, entryPoints };
    this.#parts = parts;
    this.#log = log;
  }

  get listeners(): readonly Listener[] {
    return this.#lines.map(({ line }) => listenerOf(line));
  }

  get withoutPort(): readonly InboundLineDefinition[] {
    return this.#lines.filter(({ line }) => line.waitsForPort).map(({ definition }) => definition);
  }

  async start(): Promise<void> {
    const siteOf = this.#sites();
    this.#lines = this.#settings.inboundLines.map((definition) => this.#makeLine(definition, siteOf(definition)));
    await Promise.all(this.#lines.map(({ line }) => line.start()));
  }

  async stop(graceMilliseconds: number): Promise<void> {
    // sessions tell their pages that they end: lines wait for nothing else of theirs
    const sessionsOver = this.#parts.sessions.service.registry.stop().then(() => {
      for (const { upgrade } of this.#lines) upgrade.close();
    });
    await Promise.all([
      sessionsOver,
      ...this.#lines.map(({ line }) => line.stop(graceMilliseconds, EMPTYING_MILLISECONDS)),
    ]);
  }

  /** Entry points, and which of them a line has. What concerns its socket does not change under those who use it. */
  async replace({ inboundLines, entryPoints, tct }: Configuration): Promise<Replacement> {
    const needsRestart = this.#refusedLines(inboundLines);
    const wanted = new Map(inboundLines.map((definition) => [definition.name, definition]));
    const settings = {
      entryPoints,
      inboundLines: this.#settings.inboundLines.map((definition) => ({
        ...definition,
        entryPoint: wanted.get(definition.name)?.entryPoint ?? definition.entryPoint,
      })),
    };
    const isChanged = !isDeepStrictEqual(settings, this.#settings);
    const names = new Set(entryPoints.map(({ name }) => name));
    const lost = settings.inboundLines.find(({ entryPoint }) => !names.has(entryPoint));
    const reason = !this.#parts.sessions.hasCrypts(tct)
      ? 'transactions name field encryptions (tct), which need a restart'
      : lost && `the line ${lost.name} has the entry point ${lost.entryPoint} until then`;
    if (isChanged && reason !== undefined) needsRestart.push({ what: 'entryPoints', reason });
    const next = isChanged && reason === undefined ? settings : this.#settings;
    return {
      ...unchanged,
      takenOver: next === this.#settings ? [] : ['entryPoints'],
      needsRestart,
      take: () => this.#serve(next),
    };
  }

  #refusedLines(wanted: readonly InboundLineDefinition[]): NeedsRestart[] {
    const running = this.#settings.inboundLines;
    const names = new Set([...running, ...wanted].map(({ name }) => name));
    return [...names].flatMap((name) => {
      const [before, after] = [running, wanted].map((lines) => lines.find((line) => line.name === name));
      const what = `lines.${name}`;
      if (before === undefined) return [{ what, reason: 'a line is opened at the start only' }];
      if (after === undefined) return [{ what, reason: 'a line is closed with the server only' }];
      const isSame = isDeepStrictEqual({ ...after, entryPoint: '' }, { ...before, entryPoint: '' });
      return isSame ? [] : [{ what, reason: 'its connections were accepted under what it has' }];
    });
  }

  #serve(settings: Settings): void {
    this.#settings = settings;
    const siteOf = this.#sites();
    for (const served of this.#lines) {
      const definition = settings.inboundLines.find(({ name }) => name === served.definition.name);
      if (definition === undefined) continue;
      served.definition = definition;
      served.application = createClientApp(siteOf(definition), served.completeHeaders);
    }
  }

  #makeLine(definition: InboundLineDefinition, site: ClientSite): ServedLine {
    const completeHeaders = lineHeaders({ version: site.version, hstsSeconds: definition.tls?.hstsSeconds });
    const upgrade = new SocketUpgrade(site, completeHeaders);
    const listener: LineRequestListener = (request, response) => served.application(request, response);
    const line = new InboundLine(definition, listener, this.#log, refusalsOf(completeHeaders), {
      readPem: readPemFile,
      upgrade: upgrade.listener,
      clientOf: (remoteAddress) => addressGroupOf(clientAddress(remoteAddress) ?? ''),
    });
    const application = createClientApp(site, completeHeaders);
    const served: ServedLine = { definition, line, upgrade, completeHeaders, application };
    return served;
  }

  /** What each line serves, of what the parts have now. */
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
      recordings,
      api,
    } = this.#parts;
    const pages = pagesPart.pages;
    const service = scenarios.serviceWith(pages, outbound.lines);
    const shared = {
      version: this.#version,
      demoCurrencyService: demo.site,
      addressOfLine: (name: string) => this.#addressOfLine(name),
      log: this.#log,
      findPage: pages.find,
      findShippedPage: pagesPart.findShipped,
      scenarios: service,
      defaultCodePage: scenarios.codePage,
      sessions: sessions.service,
      hosts: hosts.sessionHosts,
      macros: macros.site,
      recordings: recordings.site,
    } satisfies Partial<ClientSite>;
    const entryPoints = new Map(
      this.#settings.entryPoints.map((definition) => [definition.name, new EntryPoint(definition)]),
    );
    return (line) => {
      const entryPoint = entryPoints.get(line.entryPoint);
      if (entryPoint === undefined) throw new Error(`line ${line.name}: no entry point ${line.entryPoint}`);
      const services = line.portal === undefined ? api.siteOf(entryPoint.definition) : undefined;
      return { ...shared, line, entryPoint, services, ...security.partsOf(line) };
    };
  }

  /** The real port, also where the configuration leaves it open. */
  #addressOfLine(name: string): LineAddress | undefined {
    const served = this.#lines.find(({ definition }) => definition.name === name);
    if (served === undefined) return undefined;
    const { host } = served.definition;
    const isEverywhere = host === '0.0.0.0' || host === '::';
    return { host: isEverywhere ? undefined : host, port: Number(/:(\d+)$/.exec(served.line.url)?.[1]) };
  }
}

function listenerOf({ definition, url, state }: InboundLine): Listener {
  const waits = state === 'listening' ? '' : WAITS_FOR_PORT;
  return { name: definition.name, url, purpose: `${purposeOf(definition)}${waits}` };
}

function purposeOf({ portal, entryPoint }: InboundLineDefinition): string {
  return `${portal === 'administration' ? 'administration portal' : 'client line'}, entry point ${entryPoint}`;
}
