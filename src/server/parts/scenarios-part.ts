import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import { defaultForm, pdfOfLaidOut } from '../../printing/pdf-document.js';
import { fileRenderer } from '../../scenarios/file-rendering.js';
import { ModuleStore, type ScenarioSource } from '../../scenarios/module-store.js';
import type { OutboundCaller } from '../../scenarios/outbound/outbound.js';
import { ScenarioService } from '../../scenarios/scenario-service.js';
import type { ScenarioTaps } from '../../scenarios/scenario-trace.js';
import { type Part, type Replacement, unchanged } from '../part.js';
import type { Pages } from './pages-part.js';

interface Settings extends Pick<Configuration, 'scenarios' | 'scenarioLimits'> {
  readonly codePage: string;
}

interface ScenarioWatch {
  readonly metrics?: Metrics;
  readonly sinks?: ScenarioTaps;
}

export class ScenariosPart implements Part {
  readonly name = 'scenarios';
  readonly reads = ['scenarios', 'scenarioLimits', 'tct'] as const;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #sinks: ScenarioTaps | undefined;
  #settings: Settings;
  #modules: ModuleStore;

  constructor(configuration: Configuration, log: Log, { metrics = noMetrics, sinks }: ScenarioWatch = {}) {
    this.#sinks = sinks;
    this.#metrics = metrics;
    this.#log = log;
    this.#settings = settingsOf(configuration);
    this.#modules = new ModuleStore(configuration.scenarios, log);
  }

  /** DEFUTF8. */
  get codePage(): string {
    return this.#settings.codePage;
  }

  get sources(): readonly ScenarioSource[] {
    return this.#modules.sources;
  }

  /** Uses the current modules with these pages and lines. Callers may keep it across a reload. */
  serviceWith({ find, directories }: Pages, outbound: OutboundCaller): ScenarioService {
    const { scenarioLimits: limits, codePage } = this.#settings;
    const renderFile = fileRenderer(find, directories, (pages, askedBy) =>
      pdfOfLaidOut(pages, defaultForm, { title: '', printed: Date.now(), askedBy }),
    );
    return new ScenarioService({
      modules: this.#modules,
      ports: {
        outbound,
        renderFile,
        log: this.#log,
        metrics: this.#metrics,
        ...(this.#sinks === undefined ? {} : { sinks: this.#sinks }),
      },
      limits,
      codePage,
      metrics: this.#metrics,
    });
  }

  start(): Promise<void> {
    return this.#modules.open();
  }

  async stop(): Promise<void> {
    this.#modules.close();
  }

  async replace(next: Configuration): Promise<Replacement> {
    const settings = settingsOf(next);
    if (isDeepStrictEqual(settings, this.#settings)) return unchanged;
    const { scenarios, scenarioLimits, codePage } = settings;
    const isMoved = scenarios !== this.#settings.scenarios;
    const modules = isMoved ? new ModuleStore(scenarios, this.#log) : this.#modules;
    if (isMoved) await openOrClose(modules);
    return {
      ...unchanged,
      takenOver: [
        ...(isMoved ? ['scenarios'] : []),
        ...(isDeepStrictEqual(scenarioLimits, this.#settings.scenarioLimits) ? [] : ['scenarioLimits']),
        ...(codePage === this.#settings.codePage ? [] : ['tct.defaultCodePage']),
      ],
      take: () => {
        // A closed store keeps its modules for runs and sessions that started with them.
        if (isMoved) this.#modules.close();
        this.#modules = modules;
        this.#settings = settings;
      },
      discard: () => {
        if (isMoved) modules.close();
      },
    };
  }
}

function settingsOf({ scenarios, scenarioLimits, tct }: Configuration): Settings {
  return { scenarios, scenarioLimits, codePage: tct.defaultCodePage };
}

async function openOrClose(modules: ModuleStore): Promise<void> {
  try {
    await modules.open();
  } catch (error) {
    modules.close();
    throw error;
  }
}
