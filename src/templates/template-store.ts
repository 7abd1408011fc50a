import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDiagnostics, formatPlace, SourceError } from '../lib/documents/source-diagnostic.js';
import { ServiceError } from '../lib/errors.js';
import { type Log, silentLog } from '../lib/log/log.js';
import { messageOf } from '../lib/text/messages.js';
import { type FoundFile, warningsOf } from './compiled-template.js';
import { foldedName, TemplateDirectory } from './template-directory.js';
import { fingerprintOf, readTemplateFile, templateEntry, UnservableFileError } from './template-file.js';

/** Cache with a limit for the total number of bytes; drops the least recently used value first. */
class ByteBoundedCache {
  readonly #values = new Map<string, CachedEntry>();
  #bytes = 0;

  constructor(readonly mostBytes: number) {}

  get(name: string): CachedEntry | undefined {
    const value = this.#values.get(name);
    // order of use matters only in a cache that is more than half full
    if (value === undefined || this.#bytes * 2 < this.mostBytes) return value;
    this.#values.delete(name);
    this.#values.set(name, value);
    return value;
  }

  /** Keeps the newest value even if it exceeds the limit. */
  set(name: string, value: CachedEntry): void {
    this.delete(name);
    this.#values.set(name, value);
    this.#bytes += value.bytes;
    for (const [oldest, { bytes }] of this.#values) {
      if (this.#bytes <= this.mostBytes || oldest === name) break;
      this.#values.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#values.get(name)?.bytes ?? 0;
    this.#values.delete(name);
  }
}

export interface TemplateStoreOptions {
  /** Subfolders are ignored. */
  readonly directory: string;
  readonly log?: Log;
  readonly defaultOptions?: readonly string[];
  /** Default 64 MiB of sources. */
  readonly cacheBytes?: number;
  /** Interval for checks without a change notification; default 1 s. */
  readonly recheckMilliseconds?: number;
}

interface CachedEntry {
  readonly entry: FoundFile | undefined;
  readonly failure: ServiceError | undefined;
  /** File name and fingerprint of the newest version, valid or not. */
  readonly version: string;
  readonly bytes: number;
  checkedAt: number;
}

/** Added to the size of the source for each entry. */
const BYTES_PER_ENTRY = 1024;
const NEVER = Number.NEGATIVE_INFINITY;
const absent = { entry: undefined } as const;

export class TemplateStore {
  readonly #options: TemplateStoreOptions;
  readonly #log: Log;
  readonly #directory: TemplateDirectory;
  readonly #cache: ByteBoundedCache;
  readonly #recheckMs: number;
  readonly #refreshing = new Map<string, Promise<CachedEntry | undefined>>();
  /** Entries checked before this time must be checked again. */
  #staleBefore = NEVER;
  /** Increases with every change, to detect data read before it. */
  #changes = 0;

  constructor(options: TemplateStoreOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#recheckMs = options.recheckMilliseconds ?? 1000;
    this.#cache = new ByteBoundedCache(options.cacheBytes ?? 64 * 1024 * 1024);
    this.#directory = new TemplateDirectory(options.directory, this.#log, (name) => this.#changed(name));
  }

  async open(): Promise<void> {
    try {
      await this.#directory.open();
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`the template directory ${this.#options.directory} cannot be read: ${reason}`, { cause: error });
    }
  }

  /** Result of `find` if it is known without disk access; otherwise undefined. */
  peek(name: string): { readonly entry: FoundFile | undefined } | undefined {
    const folded = foldedName(name);
    if (folded === undefined) return absent;
    const cached = this.#cache.get(folded);
    if (cached === undefined) return this.#directory.isKnownAbsent(folded, this.#recheckMs) ? absent : undefined;
    return cached.entry !== undefined && this.#isFresh(cached) ? cached : undefined;
  }

  /**
   * Finds an entry, ignoring case; undefined if there is none. Without change notifications, an entry is checked on
   * disk at most once a second.
   * @throws ServiceError SVC_ERR_TEMPLATE_BROKEN if the file exists and no version of it was ever valid
   */
  async find(name: string): Promise<FoundFile | undefined> {
    const folded = foldedName(name);
    if (folded === undefined) return undefined;
    const cached = this.#cache.get(folded);
    const found = cached !== undefined && this.#isFresh(cached) ? cached : await this.#refreshOnce(folded);
    if (found?.entry === undefined && found?.failure !== undefined) throw found.failure;
    return found?.entry;
  }

  files(): Promise<readonly string[]> {
    return this.#directory.files(this.#recheckMs);
  }

  /** Cached state of a file; undefined if it was not requested recently. */
  known(name: string): Pick<CachedEntry, 'entry' | 'failure'> | undefined {
    return this.#cache.get(foldedName(name) ?? '');
  }

  close(): void {
    this.#directory.close();
  }

  #isFresh({ checkedAt }: CachedEntry): boolean {
    return checkedAt > this.#staleBefore && performance.now() - checkedAt < this.#recheckMs;
  }

  #changed(folded: string | undefined): void {
    this.#changes += 1;
    if (folded === undefined) this.#staleBefore = performance.now();
    else {
      const cached = this.#cache.get(folded);
      if (cached !== undefined) cached.checkedAt = NEVER;
    }
  }

  #refreshOnce(folded: string): Promise<CachedEntry | undefined> {
    const running = this.#refreshing.get(folded);
    if (running !== undefined) return running;
    const refreshing = this.#refresh(folded).finally(() => this.#refreshing.delete(folded));
    this.#refreshing.set(folded, refreshing);
    return refreshing;
  }

  async #refresh(folded: string): Promise<CachedEntry | undefined> {
    const changes = this.#changes;
    const file = await this.#directory.fileNamed(folded, this.#recheckMs);
    const cached = this.#cache.get(folded);
    if (this.#directory.isGone) {
      if (cached !== undefined) cached.checkedAt = performance.now();
      return cached;
    }
    if (file === undefined) {
      this.#cache.delete(folded);
      return undefined;
    }
    const path = join(this.#directory.realPath, file);
    const version = await versionOf(path, file);
    // deleted since the directory was read
    if (version === undefined) {
      this.#cache.delete(folded);
      return undefined;
    }
    const checkedAt = () => (changes === this.#changes ? performance.now() : NEVER);
    if (cached?.version === version) {
      cached.checkedAt = checkedAt();
      return cached;
    }
    const fresh = await this.#load(path, file, version, cached);
    fresh.checkedAt = fresh.checkedAt === NEVER ? NEVER : checkedAt();
    this.#cache.set(folded, fresh);
    return fresh;
  }

  async #load(path: string, file: string, version: string, before: CachedEntry | undefined): Promise<CachedEntry> {
    try {
      const read = await readTemplateFile(path, this.#directory.realPath);
      const entry = await templateEntry(path, read, this.#options);
      for (const warning of warningsOf(entry)) this.#log.warn({ template: path }, formatPlace(warning));
      const bytes = read.bytes.length + BYTES_PER_ENTRY;
      const checkedAt = read.isUnsettled ? NEVER : performance.now();
      return { entry, failure: undefined, version: `${file}:${read.fingerprint}`, bytes, checkedAt };
    } catch (error) {
      if (error instanceof UnservableFileError) {
        this.#log.warn({ template: path }, `the file is not served: it ${error.message}`);
        return { entry: undefined, failure: undefined, version, bytes: BYTES_PER_ENTRY, checkedAt: performance.now() };
      }
      const detail = error instanceof SourceError ? error.message : `${file}: ${(error as Error).message}`;
      const shown = error instanceof SourceError ? formatDiagnostics(error.diagnostics, error.source) : detail;
      const lastGood = before?.entry;
      const isServing = lastGood !== undefined;
      this.#log.error(
        { template: path, lastGoodVersionServes: isServing },
        `the template is broken${isServing ? '; its last valid version stays active' : ''}\n${shown}`,
      );
      const failure = new ServiceError('SVC_ERR_TEMPLATE_BROKEN', { detail, cause: error });
      const bytes = isServing ? (before?.bytes ?? BYTES_PER_ENTRY) : BYTES_PER_ENTRY;
      return { entry: lastGood, failure, version, bytes, checkedAt: performance.now() };
    }
  }
}

/** Undefined if there is no such file. A dangling link counts as a version. */
async function versionOf(path: string, file: string): Promise<string | undefined> {
  try {
    return `${file}:${fingerprintOf(await stat(path, { bigint: true }))}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : `${file}:${code}`;
  }
}
