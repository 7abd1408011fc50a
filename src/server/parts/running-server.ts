import { formatPlace, type SourceDiagnostic } from '../../lib/documents/source-diagnostic.js';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { applicationTypes } from '../../lines/entry-point/transaction.js';
import type { Health, HealthCheck } from '../../operation/health/health.js';
import type {
  LoadedDirectory,
  LoadedFile,
  LoadedPrograms,
  LoadedScenario,
  LoadedScreen,
  LoadedService,
  LoadedTransaction,
} from '../../operation/loaded-programs.js';
import type { MinuteFigures } from '../../operation/minute-figures.js';
import {
  type ClusterLoad,
  type NodeFigures,
  type NodeList,
  type NodeLoad,
  readNodeLoad,
  sumOfLoads,
} from '../../operation/node-load.js';
import type { OperatedPools } from '../../operation/pool-operations.js';
import type {
  HostReport,
  OutboundReport,
  PoolReport,
  PrinterReport,
  ServerFigures,
} from '../../operation/server-figures.js';
import type { ServerOverview } from '../../operation/server-operations.js';
import { warningsOf } from '../../templates/compiled-template.js';
import type { TemplateStore } from '../../templates/template-store.js';
import type { HostsPart } from './hosts-part.js';
import type { LinesPart } from './lines-part.js';
import type { OutboundPart } from './outbound-part.js';
import type { PagesPart } from './pages-part.js';
import type { PrintersPart } from './printers-part.js';
import type { ScenariosPart } from './scenarios-part.js';
import type { ServicesPart } from './services-part.js';
import type { SessionsPart } from './sessions-part.js';

interface OverviewContext {
  readonly health: Health;
  readonly minutes: MinuteFigures;
  readonly lines: Pick<LinesPart, 'reports'>;
  readonly nodes: NodeList;
  readonly loadOf: (code: string) => Promise<string>;
  readonly now: () => number;
}

export class RunningOverview implements ServerOverview {
  readonly startedAt: number;
  readonly #context: OverviewContext;

  constructor(context: OverviewContext) {
    this.#context = context;
    this.startedAt = context.now();
  }

  get now(): number {
    return this.#context.now();
  }

  async checks(): Promise<readonly HealthCheck[]> {
    return (await this.#context.health.all()).checks;
  }

  get own(): NodeLoad {
    const { lines, minutes } = this.#context;
    const { reports } = lines;
    return {
      now: this.now,
      sessions: reports.reduce((sum, { sessions }) => sum + sessions, 0),
      connections: reports.reduce((sum, { connections }) => sum + connections, 0),
      lastHour: minutes.lastHour,
    };
  }

  async load(): Promise<ClusterLoad> {
    const { nodes } = this.#context.nodes;
    const asked = await Promise.all(
      nodes.filter((node) => !node.this).map(async (node) => ({ node, load: await this.#loadOf(node) })),
    );
    const counted = asked.flatMap(({ node, load }) =>
      load.kind === 'read' ? [{ code: node.code, load: load.value }] : [],
    );
    const own = nodes.filter((node) => node.this).map(({ code }) => code);
    return {
      ...sumOfLoads(
        this.own,
        counted.map(({ load }) => load),
      ),
      counted: [...own, ...counted.map(({ code }) => code)].sort(),
      missing: new Map(asked.flatMap(({ node, load }) => (load.kind === 'fault' ? [[node.code, load.fault]] : []))),
    };
  }

  async #loadOf({ code, state }: NodeFigures): Promise<ReadOutcome<NodeLoad>> {
    if (state === 'gone') return readFault('it no longer reports');
    try {
      const load = readNodeLoad(await this.#context.loadOf(code));
      return load === undefined ? readFault('its version does not report this') : readAs(load);
    } catch {
      return readFault('it could not be reached');
    }
  }
}

interface MetricsContext {
  readonly hosts: HostsPart;
  readonly outbound: OutboundPart;
  readonly printers: PrintersPart;
  readonly services: ServicesPart;
  readonly sessions: SessionsPart;
}

export class RunningFigures implements ServerFigures, OperatedPools {
  readonly #context: MetricsContext;

  constructor(context: MetricsContext) {
    this.#context = context;
  }

  get outbound(): readonly OutboundReport[] {
    return this.#context.outbound.reports;
  }

  get hosts(): readonly HostReport[] {
    const { registry, hostStates } = this.#context.sessions.service;
    const { pools } = this;
    const sessions = new Map<string, number>();
    for (const { facts } of registry.sessions) {
      sessions.set(facts.application, (sessions.get(facts.application) ?? 0) + 1);
    }
    return this.#context.hosts.addresses.map(({ name, address }) => {
      const own = pools.filter(({ host }) => host === name);
      const pooled = own.reduce((sum, { free, lent, between }) => sum + free + lent + between, 0);
      return { name, address, sessions: sessions.get(name) ?? 0, pooled, state: hostStates.of(name) };
    });
  }

  get pools(): readonly PoolReport[] {
    return this.#context.services.calls.poolStates.map(({ users, isDrained, ...state }) => ({
      ...state,
      stoppedUsers: users.filter(({ isStopped }) => isStopped).map(({ user }) => user),
      drained: isDrained,
    }));
  }

  get printers(): readonly PrinterReport[] {
    return this.#context.printers.reports;
  }

  drainPool(name: string): void {
    this.#context.services.drainPool(name);
  }

  resumePool(name: string): void {
    this.#context.services.resumePool(name);
  }
}

interface ProgramContext {
  readonly lines: LinesPart;
  readonly pages: PagesPart;
  readonly scenarios: ScenariosPart;
  readonly services: ServicesPart;
}

const kinds = new Map<number, LoadedTransaction['kind']>(
  Object.entries(applicationTypes).map(([kind, type]) => [type, kind as LoadedTransaction['kind']]),
);

export class RunningPrograms implements LoadedPrograms {
  readonly configurationFile: string;
  readonly #context: ProgramContext;

  constructor(configurationFile: string, context: ProgramContext) {
    this.configurationFile = configurationFile;
    this.#context = context;
  }

  get transactions(): readonly LoadedTransaction[] {
    return this.#context.lines.entryPoints.flatMap(({ name: entryPoint, transactions }) =>
      transactions.map((transaction) => {
        const { externalName, description, applicationType, application, page } = transaction;
        const { initialScenario, inputScenario, outputScenario, finalScenario } = transaction;
        const named = [initialScenario, inputScenario, outputScenario, finalScenario];
        return {
          entryPoint,
          name: externalName,
          description,
          kind: kinds.get(applicationType) ?? 'hostApplication',
          application,
          page,
          scenarios: [...new Set(named.filter((scenario) => scenario !== undefined))],
        };
      }),
    );
  }

  get scenarios(): readonly LoadedScenario[] {
    return this.#context.scenarios.sources.map(({ file, name, module, faults }) => ({
      name,
      file,
      kinds: [
        ...(module?.scenarios.keys() ?? []),
        ...(module === undefined || module.subroutines.length === 0 ? [] : ['SUBROUTINE']),
      ],
      assembles: faults.length === 0,
      diagnostics: faults.length > 0 ? faults : (module?.warnings ?? []),
    }));
  }

  get services(): readonly LoadedService[] {
    const { loaded, calls } = this.#context.services;
    const diagnostics = new Map<string, SourceDiagnostic[]>();
    for (const one of loaded.diagnostics) diagnostics.set(one.file, [...(diagnostics.get(one.file) ?? []), one]);
    return [...loaded.services.values()].map(({ name, description, pool, parameters, work }) => {
      const file = loaded.serviceFiles.get(name) ?? '';
      return {
        name,
        description,
        file,
        runs: runsOf(pool, work),
        parameters: [...parameters.keys()],
        isCallable: calls.definitions.has(name),
        diagnostics: diagnostics.get(file) ?? [],
      };
    });
  }

  get screens(): readonly LoadedScreen[] {
    const { screens, screenPlaces } = this.#context.services.loaded;
    return [...screens.keys()].map((name) => {
      const { file, line } = screenPlaces.get(name) ?? { file: '', line: 1 };
      return { name, file, line };
    });
  }

  get diagnostics(): readonly SourceDiagnostic[] {
    const { diagnostics, serviceFiles } = this.#context.services.loaded;
    const known = new Set(serviceFiles.values());
    return diagnostics.filter(({ file }) => !known.has(file));
  }

  get directories(): readonly LoadedDirectory[] {
    return this.#context.pages.stores.map(({ name, folder, store }) => ({
      name,
      folder,
      files: () => store.files(),
      stateOf: (file) => stateOf(store, file),
    }));
  }
}

function runsOf(
  pool: string | undefined,
  work: { readonly kind: string; readonly module?: string },
): LoadedService['runs'] {
  if (work.module !== undefined) return { kind: 'scenario', name: work.module };
  return pool === undefined ? undefined : { kind: 'pool', name: pool };
}

function stateOf(store: TemplateStore, file: string): LoadedFile {
  const known = store.known(file);
  if (known === undefined) return { state: 'unread', remarks: [] };
  const { entry, failure } = known;
  if (failure !== undefined) return { state: 'broken', remarks: [failure.message] };
  if (entry === undefined) return { state: 'hidden', remarks: ['It is not running: see the log for the reason.'] };
  const remarks = warningsOf(entry).map((warning) => formatPlace(warning));
  return { state: entry.kind === 'static' ? 'file' : 'template', remarks };
}
