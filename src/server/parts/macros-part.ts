import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../lib/log/log.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import { DirectoryKeys } from '../../macros/directory-key.js';
import { FileMacroStore } from '../../macros/file-macro-store.js';
import { MacroService } from '../../macros/macro-service.js';
import type { MacroStore } from '../../macros/macro-store.js';
import { MemoryDirectoryKeyStore } from '../../macros/memory-directory-key-store.js';
import type { SiteMacros } from '../../web/http/client-site.js';
import { type Part, type Replacement, unchanged } from '../part.js';
import type { SecurityPart } from './security-part.js';

export class MacrosPart implements Part {
  readonly name = 'macros';
  readonly reads = ['macros', 'macrosAutoRefresh', 'macroPublishers'] as const;
  readonly #folder: string | undefined;
  readonly #store: MacroStore | undefined;
  /** Undefined if the macros are in the shared database. */
  readonly #files: FileMacroStore | undefined;
  readonly #shared: SharedStores | undefined;
  readonly #security: SecurityPart;
  readonly #metrics: Metrics;
  #autoRefresh: Configuration['macrosAutoRefresh'];
  #publishers: string | undefined;
  #service: MacroService | undefined;

  constructor(
    { macros: folder, macrosAutoRefresh, macroPublishers }: Configuration,
    security: SecurityPart,
    log: Log,
    metrics = noMetrics,
    shared?: SharedStores,
  ) {
    this.#metrics = metrics;
    this.#folder = folder;
    this.#shared = shared;
    this.#files = folder === undefined || shared !== undefined ? undefined : new FileMacroStore({ folder, log });
    // The key enables centralized macros. With a shared database, the folder is unused.
    this.#store = folder === undefined ? undefined : (shared?.macros ?? this.#files);
    this.#security = security;
    this.#autoRefresh = macrosAutoRefresh;
    this.#publishers = macroPublishers;
  }

  get site(): SiteMacros {
    if (this.#service === undefined) throw new Error('the macros are not open');
    return { service: this.#service, autoRefresh: this.#autoRefresh, publishers: this.#publishers };
  }

  async start(): Promise<void> {
    await this.#files?.open();
    const { database, audit } = this.#security.users;
    this.#service = new MacroService({
      store: this.#store,
      keys: new DirectoryKeys(this.#shared?.directoryKeys ?? new MemoryDirectoryKeyStore(), database),
      database,
      audit,
      metrics: this.#metrics,
    });
  }

  async stop(): Promise<void> {
    await this.#files?.close();
  }

  async replace({ macros, macrosAutoRefresh, macroPublishers }: Configuration): Promise<Replacement> {
    return {
      ...unchanged,
      takenOver: [
        ...(macrosAutoRefresh === this.#autoRefresh ? [] : ['macrosAutoRefresh']),
        ...(macroPublishers === this.#publishers ? [] : ['macroPublishers']),
      ],
      needsRestart:
        macros === this.#folder
          ? []
          : [{ what: 'macros', reason: 'uploads into the current folder may be in progress' }],
      take: () => {
        this.#autoRefresh = macrosAutoRefresh;
        this.#publishers = macroPublishers;
      },
    };
  }
}
