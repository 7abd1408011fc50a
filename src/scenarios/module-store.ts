import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatDiagnostics,
  formatPlace,
  type SourceDiagnostic,
  SourceError,
} from '../lib/documents/source-diagnostic.js';
import type { Log } from '../lib/log/log.js';
import { assembleInTurns, moduleNameOf } from './assemble.js';
import type { PresentationModule } from './assembly.js';
import { parserLimits } from './parser.js';

const SOURCE_ENDING = /\.scn$/i;
const MOST_SOURCES = 10_000;
/** For file systems without change notifications. */
const RESCAN_MILLISECONDS = 2_000;
/** One change of a file causes several events. */
const SETTLING_MILLISECONDS = 20;

interface KnownSource {
  readonly stamp: string;
  readonly module: PresentationModule | undefined;
  readonly faults: readonly SourceDiagnostic[];
}

export interface ScenarioSource extends Omit<KnownSource, 'stamp'> {
  readonly name: string;
  readonly file: string;
}

/**
 * Presentation modules of a folder of `.scn` sources, assembled at start and after changes. A source with errors never
 * replaces an active module; runs in progress keep their version.
 */
export class ModuleStore {
  readonly #folder: string | undefined;
  readonly #log: Log;
  #sources = new Map<string, KnownSource>();
  #modules = new Map<string, PresentationModule>();
  #watcher: FSWatcher | undefined;
  #rescan: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #scanning: Promise<void> | undefined;
  #scanAgain = false;

  constructor(folder: string | undefined, log: Log) {
    this.#folder = folder;
    this.#log = log.child({ scenarios: folder });
  }

  async open(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    await this.#scan(folder);
    this.#rescan = setInterval(() => this.#scanSoon(folder), RESCAN_MILLISECONDS).unref();
    this.#watcher = watch(folder, { persistent: false }, () => {
      this.#settling ??= setTimeout(() => {
        this.#settling = undefined;
        this.#scanSoon(folder);
      }, SETTLING_MILLISECONDS).unref();
    });
    this.#watcher.on('error', (error) =>
      this.#log.warn({ err: error }, 'file notifications failed; changes are found by polling'),
    );
  }

  close(): void {
    clearInterval(this.#rescan);
    clearTimeout(this.#settling);
    this.#watcher?.close();
  }

  /** Case-insensitive; undefined if no source with this name has assembled. */
  find(name: string): PresentationModule | undefined {
    return this.#modules.get(name) ?? this.#modules.get(name.toUpperCase());
  }

  get sources(): readonly ScenarioSource[] {
    const folder = this.#folder ?? '';
    return [...this.#sources].map(([source, { module, faults }]) => ({
      name: moduleNameOf(source),
      file: join(folder, source),
      module,
      faults,
    }));
  }

  #scanSoon(folder: string): void {
    if (this.#scanning !== undefined) {
      this.#scanAgain = true;
      return;
    }
    this.#scanning = this.#scan(folder)
      .catch((error: unknown) => this.#log.error({ err: error }, 'the folder of scenarios cannot be read'))
      .finally(() => {
        this.#scanning = undefined;
        if (!this.#scanAgain) return;
        this.#scanAgain = false;
        this.#scanSoon(folder);
      });
  }

  async #scan(folder: string): Promise<void> {
    const files = (await readdir(folder)).filter((file) => SOURCE_ENDING.test(file)).sort();
    if (files.length > MOST_SOURCES) this.#log.warn({ files: files.length }, `only ${MOST_SOURCES} scenarios are read`);
    const sources = new Map<string, KnownSource>();
    let changed = files.length !== this.#sources.size;
    for (const file of files.slice(0, MOST_SOURCES)) {
      const known = this.#sources.get(file);
      const source = await this.#read(join(folder, file), known);
      if (source === undefined) continue;
      sources.set(file, source);
      changed ||= source !== known;
    }
    this.#sources = sources;
    if (changed) this.#index();
  }

  async #read(path: string, known: KnownSource | undefined): Promise<KnownSource | undefined> {
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${mtimeMs}/${size}`;
      if (known?.stamp === stamp) return known;
      const { module, faults } = await this.#assemble(path, await readBounded(path, size));
      return { stamp, module: module ?? known?.module, faults };
    } catch (error) {
      this.#log.error({ err: error, file: path }, 'a scenario cannot be read');
      return known;
    }
  }

  async #assemble(path: string, source: string): Promise<Omit<KnownSource, 'stamp'>> {
    try {
      const module = await assembleInTurns(source, path);
      this.#log.info({ module: module.name, file: path }, 'scenario assembled');
      for (const warning of module.warnings) this.#log.warn({ module: module.name }, formatPlace(warning));
      return { module, faults: [] };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const faults = formatDiagnostics(error.diagnostics, error.source);
      this.#log.error(
        { module: moduleNameOf(path) },
        `scenario does not assemble; the previous version stays active\n${faults}`,
      );
      return { module: undefined, faults: error.diagnostics };
    }
  }

  #index(): void {
    const modules = new Map<string, PresentationModule>();
    for (const { module } of this.#sources.values()) {
      if (module === undefined) continue;
      const other = modules.get(module.name);
      if (other === undefined) modules.set(module.name, module);
      else
        this.#log.error({ module: module.name, file: module.file }, `this module is already defined in ${other.file}`);
    }
    this.#modules = modules;
  }
}

async function readBounded(path: string, size: number): Promise<string> {
  if (size > parserLimits.sourceLength)
    throw new RangeError(`${path} is larger than ${parserLimits.sourceLength} bytes`);
  return readFile(path, 'utf8');
}
