import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { EntryPoint } from '../../entry-point/entry-point.js';
import { InboundLine, type LineRequestListener } from '../../line/inbound-line.js';
import type { InboundLineDefinition } from '../../line/line-definition.js';
import { listenAddress } from '../../line/line-opening-error.js';
import { TrustedProxies } from '../../line/trusted-proxies.js';
import type { Log } from '../../log.js';
import type { Condition } from '../../management/health.js';
import type { ServerState } from '../../management/metrics.js';
import { type Measures, noMeasures } from '../../measures.js';
import { addressGroupOf } from '../../session/address-group.js';
import { createClientApp } from '../../web/client-app.js';
import type { ClientSite, LineAddress } from '../../web/http/client-site.js';
import { refusalsOf } from '../../web/http/error-response.js';
import { type CompleteHeaders, lineHeaders } from '../../web/http/line-headers.js';
import { plainAddress } from '../../web/http/request-sender.js';
import { SocketUpgrade } from '../../web/terminal/socket-upgrade.js';
import { type Listener, WAITS_FOR_PORT } from '../listener.js';
import { type NeedsRestart, type Part, type Replacement, unchanged } from '../part.js';
import type { ApiPart } from './api-part.js';
import type { DemoPart } from './demo-part.js';
import type { HostsPart } from './hosts-part.js';
import type { MacrosPart } from './macros-part.js';
import type { OperationPart } from './operation-part.js';
import type { OutboundPart } from './outbound-part.js';
import type { PagesPart } from './pages-part.js';
import type { RecordingsPart } from './recordings-part.js';
import type { ScenariosPart } from './scenarios-part.js';
import type { SecurityPart } from './security-part.js';
import type { SessionsPart } from './sessions-part.js';
import type { SettingsPart } from './settings-part.js';

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
  readonly settings: SettingsPart;
  readonly recordings: RecordingsPart;
  readonly operation: OperationPart;
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
/** For the requests in flight of a line that is gone. */
const CLOSING_MILLISECONDS = 5_000;

const notServed: LineRequestListener = () => {
  throw new Error('the line is not served yet');
};

/**
 * The inbound lines and their entry points. Each line has one application, made of what all other parts serve; where
 * one of them is exchanged the line gets a new application, and requests under way end in the one they began in.
 */
export class LinesPart implements Part {
  readonly name = 'inbound lines';
  readonly reads = ['inboundLines', 'entryPoints'] as const;
  readonly #parts: ServedParts;
  readonly #log: Log;
  readonly #measures: Measures;
  readonly #version = installedVersion();
  #settings: Settings;
  #lines: readonly ServedLine[] = [];
  /** Lines that are gone. */
  readonly #closing = new Set<Promise<void>>();

  constructor({ inboundLines, entryPoints }: Configuration, parts: ServedParts, log: Log, measures = noMeasures) {
    this.#measures = measures;
    this.#settings = { inboundLines, entryPoints };
    this.#parts = parts;
    this.#log = log;
  }

  get listeners(): readonly Listener[] {
    return this.#lines.map(listenerOf);
  }

  get withoutPort(): readonly InboundLineDefinition[] {
    return this.#lines.filter(({ line }) => line.waitsForPort).map(({ definition }) => definition);
  }

  get states(): ServerState['lines'] {
    return this.#lines.map(({ definition: { name }, line }) => ({
      name,
      connections: line.connections,
      isListening: line.state === 'listening',
      certificateExpires: line.certificate?.expires,
    }));
  }

  /** Each line listens. */
  get conditions(): readonly Condition[] {
    return this.#lines.flatMap(({ definition: { name }, line }) => {
      const { certificate } = line;
      const isListening = line.state === 'listening';
      const listening: Condition = {
        name: `line ${name}`,
        fault: async () => (isListening ? undefined : 'it does not listen'),
      };
      if (certificate === undefined) return [listening];
      // the one it has is good: users are served
      const renewal: Condition = {
        name: `certificate of line ${name}`,
        isReady: true,
        fault: async () => certificate.fault,
      };
      return [listening, renewal];
    });
  }

  async start(): Promise<void> {
    this.#lines = this.#settings.inboundLines.map((definition) => this.#makeLine(definition));
    this.#serve(this.#settings);
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
      ...this.#closing,
    ]);
  }

  /**
   * Entry points, which of them a line has, lines that are new and lines that are gone. What else concerns a line does not change
   * under those who use it.
   */
  async replace({ inboundLines, entryPoints, tct }: Configuration): Promise<Replacement> {
    const running = new Map(this.#settings.inboundLines.map((line) => [line.name, line]));
    const lines = inboundLines.map((line) => ({ ...(running.get(line.name) ?? line), entryPoint: line.entryPoint }));
    const settings = { entryPoints, inboundLines: lines };
    const fresh = lines.filter(({ name }) => !running.has(name));
    const gone = this.#lines.filter(({ definition }) => lines.every(({ name }) => name !== definition.name));
    const needsRestart = this.#changedLines(inboundLines);
    const lineNames = [...fresh, ...gone.map(({ definition }) => definition)].map(({ name }) => `lines.${name}`);
    const isSame =
      isDeepStrictEqual(entryPoints, this.#settings.entryPoints) &&
      lines.every(({ name, entryPoint }) => (running.get(name)?.entryPoint ?? entryPoint) === entryPoint);
    const changes = [...(isSame ? [] : ['entryPoints']), ...lineNames];
    if (changes.length === 0) return { ...unchanged, needsRestart, take: () => this.#serve(this.#settings) };
    if (!this.#parts.sessions.hasCrypts(tct)) {
      const reason = 'transactions name field encryptions (tct), which need a restart';
      needsRestart.push(...changes.map((what) => ({ what, reason })));
      return { ...unchanged, needsRestart, take: () => this.#serve(this.#settings) };
    }
    const opened = await this.#open(fresh, gone);
    return {
      takenOver: changes,
      needsRestart,
      take: () => {
        for (const served of gone) this.#closeLater(served);
        this.#lines = [...this.#lines.filter((served) => !gone.includes(served)), ...opened.lines];
        this.#serve(settings);
        opened.serve();
      },
      discard: () => {
        for (const { line } of opened.lines) void line.stop(0);
      },
    };
  }

  /**
   * Opens lines whose requests wait until they are served.
   * @throws Error where one of them cannot listen; a port may still be that of a line that closes
   */
  async #open(
    definitions: readonly InboundLineDefinition[],
    gone: readonly ServedLine[],
  ): Promise<{ readonly lines: readonly ServedLine[]; readonly serve: () => void }> {
    let serve: () => void = () => {};
    const isServed = new Promise<void>((resolve) => {
      serve = resolve;
    });
    const lines = definitions.map((definition) => {
      const made: ServedLine = this.#makeLine(definition, async (request, response) => {
        await isServed;
        return made.application(request, response);
      });
      return made;
    });
    // a line that was closed a moment ago may have had the port
    if (lines.length > 0) await Promise.all(this.#closing);
    try {
      for (const { line, definition } of lines) {
        await line.start();
        const isComing = gone.some(({ definition: { port } }) => port === definition.port);
        if (line.state === 'listening' || isComing) continue;
        throw new Error(`line ${definition.name}: cannot listen on ${listenAddress(definition)}: ${line.trouble}`);
      }
    } catch (error) {
      await Promise.all(lines.map(({ line }) => line.stop(0)));
      throw error;
    }
    return { lines, serve };
  }

  #closeLater(served: ServedLine): void {
    const closing = this.#close(served).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** Its sessions end as they do when the server stops, requests in flight are finished. */
  async #close({ definition: { name }, line, upgrade }: ServedLine): Promise<void> {
    const closed = line.stop(CLOSING_MILLISECONDS, EMPTYING_MILLISECONDS);
    const { sessions } = this.#parts.sessions.service.registry;
    const ends = sessions
      .filter(({ facts }) => facts.line === name)
      .map((session) => {
        const ended = new Promise<void>((resolve) => session.whenEnded(resolve));
        session.stop();
        return ended;
      });
    await Promise.all(ends);
    upgrade.close();
    await closed;
  }

  #changedLines(wanted: readonly InboundLineDefinition[]): NeedsRestart[] {
    return wanted.flatMap((after) => {
      const before = this.#settings.inboundLines.find(({ name }) => name === after.name);
      if (before === undefined) return [];
      const isSame = isDeepStrictEqual({ ...after, entryPoint: '' }, { ...before, entryPoint: '' });
      return isSame ? [] : [{ what: `lines.${after.name}`, reason: 'its connections were accepted under what it has' }];
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

  /** @param application until it is given that of the parts */
  #makeLine(definition: InboundLineDefinition, application: LineRequestListener = notServed): ServedLine {
    const completeHeaders = lineHeaders({ version: this.#version, line: definition });
    const { service: sessions } = this.#parts.sessions;
    const [log, measures] = [this.#log, this.#measures];
    const upgrade = new SocketUpgrade({ line: definition, sessions, log, measures }, completeHeaders);
    const proxies = new TrustedProxies(definition.trustedProxies);
    const listener: LineRequestListener = (request, response) => served.application(request, response);
    const line = new InboundLine(definition, listener, this.#log, refusalsOf(completeHeaders), {
      readPem: readPemFile,
      onRefused: (status) => this.#measures.requestAnswered(definition.name, 'refused', status, 0),
      upgrade: upgrade.listener,
      clientOf: (remoteAddress) => {
        const address = plainAddress(remoteAddress);
        return proxies.has(address) ? undefined : addressGroupOf(address);
      },
    });
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
      settings,
      recordings,
      operation,
      api,
    } = this.#parts;
    const pages = pagesPart.pages;
    const service = scenarios.serviceWith(pages, outbound.lines);
    const shared = {
      version: this.#version,
      demoCurrencyService: demo.site,
      addressOfLine: (name: string) => this.#addressOfLine(name),
      log: this.#log,
      measures: this.#measures,
      findPage: pages.find,
      findShippedPage: pagesPart.findShipped,
      scenarios: service,
      defaultCodePage: scenarios.codePage,
      sessions: sessions.service,
      hosts: hosts.sessionHosts,
      macros: macros.site,
      settings: settings.store,
      recordings: recordings.site,
    } satisfies Partial<ClientSite>;
    const entryPoints = new Map(
      this.#settings.entryPoints.map((definition) => [definition.name, new EntryPoint(definition)]),
    );
    return (line) => {
      const entryPoint = entryPoints.get(line.entryPoint);
      if (entryPoint === undefined) throw new Error(`line ${line.name}: no entry point ${line.entryPoint}`);
      const isPortal = line.portal !== undefined;
      const own = {
        services: isPortal ? undefined : api.siteOf(entryPoint.definition),
        operation: isPortal ? operation.site : undefined,
      };
      return { ...shared, line, entryPoint, ...own, ...security.partsOf(line) };
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

function listenerOf({ definition, line: { url, state } }: ServedLine): Listener {
  const waits = state === 'listening' ? '' : WAITS_FOR_PORT;
  return { name: definition.name, url, purpose: `${purposeOf(definition)}${waits}` };
}

function purposeOf({ portal, entryPoint }: InboundLineDefinition): string {
  return `${portal === 'administration' ? 'administration portal' : 'client line'}, entry point ${entryPoint}`;
}
