import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../access/audit/audit-entry.js';
import { AuditExports } from '../access/audit/audit-exports.js';
import { SETTINGS_NAME } from '../access/users/file-settings-store.js';
import type { SharedStores } from '../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../config/configuration.js';
import { loadConfiguration } from '../config/load-configuration.js';
import { openStore } from '../config/open-store.js';
import { removeHalfWritten, writerIn } from '../lib/files/replace-file.js';
import type { Detail } from '../lib/locale.js';
import { LastLogLines } from '../lib/log/last-log-lines.js';
import type { Log } from '../lib/log/log.js';
import { TraceSinks } from '../lib/log/trace-sinks.js';
import type { Metrics } from '../lib/metrics.js';
import { steadyNow } from '../lib/steady-clock.js';
import type { InboundLineDefinition } from '../lines/listener/line-definition.js';
import { ConfigurationOperations, type ReloadOutcome, type Replaced } from '../operation/configuration-operations.js';
import { type Condition, remembered } from '../operation/health/health.js';
import { LineOperations } from '../operation/line-operations.js';
import { MinuteFigures } from '../operation/minute-figures.js';
import { PoolOperations } from '../operation/pool-operations.js';
import { type OperatedServer, ServerOperations } from '../operation/server-operations.js';
import { ServiceTrials } from '../operation/service-trials.js';
import { SessionOperations } from '../operation/session-operations.js';
import { traceableByName, traceableSessions } from '../operation/trace-kinds.js';
import { TraceOperations } from '../operation/trace-operations.js';
import { DRAFTS_NAME } from '../services/file-draft-store.js';
import { registerCodePages } from '../tn3270/codepage/iconv-registration.js';
import { ConsoleStreams, type ConsoleTopic } from '../web/console/console-streams.js';
import { LogTopic } from '../web/console/log-topic.js';
import { ScreenTopic, SessionTopic } from '../web/console/session-topic.js';
import type { PortalOperations } from '../web/http/client-site.js';
import { Drain } from './drain.js';
import { type Listener, needsRestartOutcome, type Part, type Replacement, unchanged } from './part.js';
import { ApiPart } from './parts/api-part.js';
import { ClusterPart } from './parts/cluster-part.js';
import { DemoPart } from './parts/demo-part.js';
import { HostsPart } from './parts/hosts-part.js';
import { LinesPart } from './parts/lines-part.js';
import { ServerSessions } from './parts/live-sessions.js';
import { MacrosPart } from './parts/macros-part.js';
import { ManagementPart } from './parts/management-part.js';
import { OutboundPart } from './parts/outbound-part.js';
import { PagesPart } from './parts/pages-part.js';
import { PrintersPart } from './parts/printers-part.js';
import { RecordingsPart } from './parts/recordings-part.js';
import { RunningFigures, RunningOverview, RunningPrograms } from './parts/running-server.js';
import { ScenariosPart } from './parts/scenarios-part.js';
import { SecurityPart } from './parts/security-part.js';
import { ServicesPart } from './parts/services-part.js';
import { SessionsPart } from './parts/sessions-part.js';
import { SettingsPart } from './parts/settings-part.js';
import { TraceFolder } from './parts/trace-folder.js';
import { Parts } from './parts.js';
import { Reloads } from './reloads.js';

/** Shared database. It opens before the parts that use it are created, and closes after them. */
class StorePart implements Part {
  readonly name = 'store';
  readonly reads = ['store'] as const;
  readonly #store: Configuration['store'];
  readonly #shared: SharedStores | undefined;
  readonly #conditions: readonly Condition[];

  constructor({ store }: Configuration, shared: SharedStores | undefined) {
    this.#store = store;
    this.#shared = shared;
    this.#conditions = shared === undefined ? [] : [remembered({ name: 'database', fault: () => shared.writeFault() })];
  }

  get conditions(): readonly Condition[] {
    return this.#conditions;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.#shared?.close();
  }

  async replace({ store }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(store, this.#store)) return unchanged;
    return needsRestartOutcome({ what: 'store', reason: 'all stored data would be elsewhere' });
  }
}

/** Files directly in the data folder: tokens, the audit trail, idempotent requests, and the marker of a copy. */
const OF_DATA = /\.jsonl?$|^copy-unfinished$/;
const JSON_FILE = /\.json$/;
const YAML_FILE = /\.ya?ml$/;

/** Removes partly written files of killed processes from all folders in which files are replaced. */
async function sweepHalfWritten(
  { data, servicesFolder, security }: Pick<Configuration, 'data' | 'servicesFolder' | 'security'>,
  log: Log,
): Promise<void> {
  const users = security.database;
  const swept: readonly (readonly [folder: string | undefined, isOurs: (file: string) => boolean])[] = [
    [data, (file) => OF_DATA.test(file)],
    [join(data, SETTINGS_NAME), (file) => JSON_FILE.test(file)],
    [join(data, DRAFTS_NAME), (file) => JSON_FILE.test(file)],
    [servicesFolder, (file) => YAML_FILE.test(file)],
    [dirname(users), (file) => file === basename(users)],
  ];
  for (const [folder, isOurs] of swept) {
    if (folder === undefined) continue;
    try {
      const removed = await removeHalfWritten(folder, (name) => writerIn(name, isOurs));
      if (removed.length > 0) log.info({ folder, removed }, 'removed incomplete files of a killed process');
    } catch (error) {
      log.warn({ err: error, folder }, 'incomplete files of a killed process cannot be removed');
    }
  }
}

export interface RunningServer {
  readonly listeners: readonly Listener[];
  /** Lines whose port is in use by another program. They retry. */
  readonly linesWithoutPort: readonly InboundLineDefinition[];
  /**
   * Applies another configuration as far as possible without ending sessions, and returns what needs a restart. If it
   * rejects, nothing has changed.
   */
  replace(next: Configuration): Promise<Replaced>;
  /** Rejects new sessions and notifies users. `drained` resolves when nothing is left to wait for. */
  drain(): void;
  readonly drained: Promise<void>;
  readonly watch: Pick<ManagementPart, 'health' | 'prometheus'>;
  readonly operations: PortalOperations;
  /** Reads the configuration and applies it like `replace`. Never rejects. */
  reload(actor: Actor): Promise<ReloadOutcome>;
  /**
   * Serves for `management.stopDelaySeconds`, then stops accepting, finishes requests in progress (5 s at most), and
   * closes everything.
   */
  stop(): Promise<void>;
}

interface Supervision {
  readonly worker: string;
  /**
   * Drains or restarts all workers.
   * @returns the reason for a refusal, or undefined
   */
  wish(wish: 'drain' | 'restart'): Promise<Detail | undefined>;
}

const STOP_GRACE_MILLISECONDS = 5_000;

/**
 * Starts everything in the configuration. Rejects if a part cannot work, after it has stopped the started parts. A line
 * whose port is taken does not stop the others: it retries.
 * @param logLines last lines of the log, for operators
 * @param supervision undefined for a single process
 */
export async function startServer(
  configuration: Configuration,
  log: Log,
  logLines = new LastLogLines(),
  supervision?: Supervision,
): Promise<RunningServer> {
  registerCodePages();
  await sweepHalfWritten(configuration, log);
  const shared = await openStore(configuration, log);
  const store = new StorePart(configuration, shared);
  const management = new ManagementPart(configuration, log, supervision?.worker);
  const { metrics } = management;
  const sinks = { lines: new TraceSinks(), scenarios: new TraceSinks(), entryPoints: new TraceSinks() };
  const pages = new PagesPart(configuration, log);
  const scenarios = new ScenariosPart(configuration, log, { metrics, sinks });
  const outbound = new OutboundPart(configuration, metrics, {
    sinks: sinks.lines,
    secretMembers: () => api.secretParameters,
  });
  const hosts = new HostsPart(configuration, log, metrics);
  const sessions = new SessionsPart(configuration, log, metrics);
  const demo = new DemoPart(configuration, log);
  const settings = new SettingsPart(configuration, shared);
  const security = new SecurityPart(configuration, log, settings.store, metrics, shared, (news) =>
    cluster.tell(JSON.stringify(news)),
  );
  const serviceContext = { pages, scenarios, outbound, hosts, sessions, security };
  const services = new ServicesPart(configuration, serviceContext, log, metrics);
  const macros = new MacrosPart(configuration, security, log, metrics, shared);
  const printers = new PrintersPart(configuration, { hosts, security }, log, metrics);
  const recordings = new RecordingsPart(
    configuration,
    security,
    log,
    {
      latest: () => parts.latest,
      change: (change) => parts.replace(change),
    },
    shared,
  );
  const api: ApiPart = new ApiPart(configuration, services, shared);
  const served = {
    pages,
    scenarios,
    outbound,
    hosts,
    sessions,
    demo,
    security,
    // They record file transfers in the audit trail until they end.
    services,
    api,
    macros,
    settings,
    printers,
    recordings,
  };
  const audit = () => security.users.audit;
  const minutes = new MinuteFigures({ sessions: () => sessions.service.registry.size, now: steadyNow });
  const counted = withRequestsCounted(metrics, () => minutes.countRequest());
  const lines = new LinesPart(configuration, served, () => operations, log, {
    metrics: counted,
    sinks: sinks.lines,
    nodes: () => cluster.others,
    isDrained: () => drain.isBegun,
  });
  const liveSessions = new ServerSessions(sessions.service, () => services.pools);
  const cluster: ClusterPart = new ClusterPart(configuration, {
    store: shared?.nodes,
    log,
    metrics,
    mostSessions: configuration.sessions.limit,
    sessions: () => sessions.service.registry.size,
    liveSessions,
    heard: (news) => security.heard(JSON.parse(news)),
    usersChanged: () => security.usersChanged(),
    isDraining: () => management.phase === 'draining',
    passedOn: lines.passedOn,
    load: () => overview.own,
  });
  const sessionOperations = new SessionOperations(liveSessions, audit, cluster.sessionList);
  const traces = new TraceOperations(
    {
      session: traceableSessions(liveSessions),
      line: traceableByName('line', () => [...lines.reports, ...outbound.reports].map(({ name }) => name), sinks.lines),
      scenario: traceableByName('scenario', () => scenarios.sources.map(({ name }) => name), sinks.scenarios),
      'entry-point': traceableByName('entry-point', () => lines.entryPoints.map(({ name }) => name), sinks.entryPoints),
    },
    new TraceFolder(join(configuration.data, 'traces')),
    audit,
  );
  management.watch({
    conditions: () => [...lines.conditions, security.condition, ...store.conditions, ...cluster.conditions],
    state: () => ({
      lines: lines.states,
      sessions: sessions.service.registry.sessions.map(({ facts }) => facts),
      pools: services.calls.poolStates,
      printers: printers.states,
      keysReady: sessions.service.keysReady,
      nodes: cluster.nodes,
    }),
  });
  const parts: Parts = new Parts(configuration, [store, management, ...Object.values(served), cluster, lines]);
  const reloads = new Reloads({
    started: configuration,
    log,
    load: loadConfiguration,
    audit,
    replace: (next) => parts.replace(() => next),
    rehearse: (next) => parts.rehearse(next),
  });
  // For workers, the supervisor has already waited.
  const delayMilliseconds = supervision === undefined ? (configuration.management?.stopDelaySeconds ?? 0) * 1_000 : 0;
  const drain = new Drain({
    registry: sessions.service.registry,
    log,
    delayMilliseconds,
    mostMilliseconds: configuration.drainMinutes * 60_000,
    begun: () => {
      management.phase = 'draining';
      cluster.stateChanged();
    },
  });
  const operated: OperatedServer = {
    drain: async () => {
      if (supervision !== undefined) return supervision.wish('drain');
      drain.begin();
      return undefined;
    },
    restart: supervision && (() => supervision.wish('restart')),
  };
  const figures = new RunningFigures({ hosts, outbound, printers, services, sessions });
  const overview: RunningOverview = new RunningOverview({
    health: management.health,
    minutes,
    lines,
    nodes: cluster,
    loadOf: (code) => cluster.loadOf(code),
    now: steadyNow,
  });
  const operations: PortalOperations = {
    lines: new LineOperations(lines, audit),
    figures,
    pools: new PoolOperations(figures, audit),
    overview,
    programs: new RunningPrograms(configuration.file, { lines, pages, scenarios, services }),
    trials: new ServiceTrials(() => services.calls, audit),
    configuration: new ConfigurationOperations(reloads),
    sessions: sessionOperations,
    server: new ServerOperations(operated, audit),
    nodes: cluster,
    traces,
    exports: new AuditExports(audit),
    logLines,
    streams: new ConsoleStreams(
      new Map<string, ConsoleTopic>([
        ['sessions', new SessionTopic(sessionOperations)],
        ['screen', new ScreenTopic(sessionOperations)],
        ['log', new LogTopic(logLines)],
      ]),
    ),
  };
  await parts.start(STOP_GRACE_MILLISECONDS);
  management.phase = 'serving';
  minutes.start();
  return {
    listeners: [...lines.listeners, ...demo.listeners, ...hosts.listeners, ...management.listeners],
    linesWithoutPort: lines.withoutPort,
    replace: (next) => parts.replace(() => next),
    drain: () => drain.begin(),
    drained: drain.over,
    watch: management,
    operations,
    reload: (actor) => reloads.reload(actor),
    stop: async () => {
      management.phase = 'stopping';
      parts.refuseChanges();
      await reloads.stop();
      if (!drain.isBegun) await pause(delayMilliseconds);
      minutes.stop();
      await traces.close();
      return parts.stop(STOP_GRACE_MILLISECONDS);
    },
  };
}

function withRequestsCounted(metrics: Metrics, count: () => void): Metrics {
  return {
    ofHost: (...told) => metrics.ofHost(...told),
    requestAnswered: (...told) => {
      count();
      metrics.requestAnswered(...told);
    },
    screenUpdated: (...told) => metrics.screenUpdated(...told),
    scenarioEnded: (...told) => metrics.scenarioEnded(...told),
    scenarioTruncated: (...told) => metrics.scenarioTruncated(...told),
    outboundEnded: (...told) => metrics.outboundEnded(...told),
    signOnEnded: (...told) => metrics.signOnEnded(...told),
    macrosUploaded: (...told) => metrics.macrosUploaded(...told),
    serviceCalled: (...told) => metrics.serviceCalled(...told),
    poolWaited: (...told) => metrics.poolWaited(...told),
    keyWaited: (...told) => metrics.keyWaited(...told),
    documentPrinted: (...told) => metrics.documentPrinted(...told),
    internalLineRefused: (...told) => metrics.internalLineRefused(...told),
  };
}
