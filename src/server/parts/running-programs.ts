import { formatPlace, type SourceDiagnostic } from '../../lib/documents/source-diagnostic.js';
import { applicationTypes } from '../../lines/entry-point/transaction.js';
import type {
  LoadedDirectory,
  LoadedFile,
  LoadedPrograms,
  LoadedScenario,
  LoadedScreen,
  LoadedService,
  LoadedTransaction,
} from '../../operation/loaded-programs.js';
import { warningsOf } from '../../templates/found-file.js';
import type { TemplateStore } from '../../templates/template-store.js';
import type { LinesPart } from './lines-part.js';
import type { PagesPart } from './pages-part.js';
import type { ScenariosPart } from './scenarios-part.js';
import type { ServicesPart } from './services-part.js';

interface ProgramGround {
  readonly lines: LinesPart;
  readonly pages: PagesPart;
  readonly scenarios: ScenariosPart;
  readonly services: ServicesPart;
}

const kinds = new Map<number, LoadedTransaction['kind']>(
  Object.entries(applicationTypes).map(([kind, type]) => [type, kind as LoadedTransaction['kind']]),
);

/** What the parts have loaded, asked for whenever somebody looks. */
export class RunningPrograms implements LoadedPrograms {
  readonly configurationFile: string;
  readonly #ground: ProgramGround;

  constructor(configurationFile: string, ground: ProgramGround) {
    this.configurationFile = configurationFile;
    this.#ground = ground;
  }

  get transactions(): readonly LoadedTransaction[] {
    return this.#ground.lines.entryPoints.flatMap(({ name: entryPoint, transactions }) =>
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
    return this.#ground.scenarios.sources.map(({ file, name, module, faults }) => ({
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
    const { loaded, calls } = this.#ground.services;
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
    const { screens, screenPlaces } = this.#ground.services.loaded;
    return [...screens.keys()].map((name) => {
      const { file, line } = screenPlaces.get(name) ?? { file: '', line: 1 };
      return { name, file, line };
    });
  }

  get diagnostics(): readonly SourceDiagnostic[] {
    const { diagnostics, serviceFiles } = this.#ground.services.loaded;
    const known = new Set(serviceFiles.values());
    return diagnostics.filter(({ file }) => !known.has(file));
  }

  get directories(): readonly LoadedDirectory[] {
    return this.#ground.pages.stores.map(({ name, folder, store }) => ({
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
  if (entry === undefined) return { state: 'hidden', remarks: ['It is not served: the log says why.'] };
  const remarks = warningsOf(entry).map((warning) => formatPlace(warning));
  return { state: entry.kind === 'static' ? 'file' : 'template', remarks };
}
