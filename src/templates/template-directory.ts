import { type FSWatcher, watch } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import type { Log } from '../lib/log/log.js';

const LONGEST_NAME = 64;
const MOST_FILES = 100_000;

/** Look-up form of a name, independent of case; undefined for a name that never matches. */
export function foldedName(name: string): string | undefined {
  if (name === '' || name.length > LONGEST_NAME || name.startsWith('.')) return undefined;
  return /[/\\\0]/.test(name) ? undefined : name.toUpperCase();
}

export class TemplateDirectory {
  readonly #log: Log;
  readonly #onChange: (name: string | undefined) => void;
  /** Path without symbolic links. */
  realPath = '';
  #names: ReadonlyMap<string, string> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #reading: Promise<void> | undefined;
  #watcher: FSWatcher | undefined;
  #isGone = false;
  #isClosed = false;
  /** Names differing only in case, after a warning about them. */
  readonly #twins = new Set<string>();

  /** @param onChange called with the folded name of a file that may have changed; undefined: any file */
  constructor(
    readonly path: string,
    log: Log,
    onChange: (name: string | undefined) => void,
  ) {
    this.#log = log;
    this.#onChange = onChange;
  }

  async open(): Promise<void> {
    await this.#list();
    this.#watch();
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  async files(recheckMs: number): Promise<readonly string[]> {
    await this.#readAgain(recheckMs);
    return [...this.#names.values()];
  }

  /** Name on disk. Reads the folder again after a change, or after `recheckMs`. */
  async fileNamed(folded: string, recheckMs: number): Promise<string | undefined> {
    await this.#readAgain(recheckMs);
    return this.#names.get(folded);
  }

  /** True if the file is known not to exist, without disk access. */
  isKnownAbsent(folded: string, recheckMs: number): boolean {
    return !this.#isGone && !this.#names.has(folded) && performance.now() - this.#readAt < recheckMs;
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  async #readAgain(recheckMs: number): Promise<void> {
    if (performance.now() - this.#readAt < recheckMs) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      await this.#list();
      if (this.#isGone) this.#log.info({ directory: this.path }, 'the template directory is available again');
      this.#isGone = false;
      this.#watch();
    } catch (error) {
      if (!this.#isGone) {
        this.#log.error(
          { directory: this.path, err: error },
          'the template directory cannot be read; cached templates stay active',
        );
      }
      this.#isGone = true;
      this.#readAt = performance.now();
      this.#unwatch();
    }
  }

  async #list(): Promise<void> {
    const changes = this.#changes;
    this.realPath = await realpath(this.path);
    const entries = await readdir(this.realPath, { withFileTypes: true });
    const names = new Map<string, string>();
    // code unit order, so that the first of two names differing only in case is always the same one
    const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name);
    for (const name of files.sort().slice(0, MOST_FILES)) {
      const folded = foldedName(name);
      if (folded === undefined) continue;
      const first = names.get(folded);
      if (first === undefined) names.set(folded, name);
      else this.#warnOfTwins(first, name);
    }
    this.#names = names;
    // a change during the read may be missing from the list
    this.#readAt = changes === this.#changes ? performance.now() : Number.NEGATIVE_INFINITY;
  }

  #warnOfTwins(first: string, second: string): void {
    const twins = `${first}/${second}`;
    if (this.#twins.has(twins) || this.#twins.size >= 1000) return;
    this.#twins.add(twins);
    this.#log.warn({ directory: this.path, served: first, hidden: second }, 'two templates differ only in case');
  }

  #watch(): void {
    if (this.#watcher !== undefined || this.#isClosed) return;
    try {
      const watcher = watch(this.realPath, { persistent: false }, (_, name) => this.#changed(name));
      watcher.on('error', () => this.#unwatch());
      this.#watcher = watcher;
    } catch (error) {
      // without a watcher, the folder is checked once a second
      this.#log.debug({ directory: this.path, err: error }, 'changes in the template directory cannot be watched');
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #changed(name: string | null): void {
    this.#changes += 1;
    this.#readAt = Number.NEGATIVE_INFINITY;
    const folded = name === null ? undefined : foldedName(name);
    // a hidden name, such as `..data` of a mounted volume, may be the target of visible links
    this.#onChange(folded);
  }
}
