import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration.js';
import { installationFolder } from '../../config/installation.js';
import type { Log } from '../../lib/log/log.js';
import type { FindFile, FoundSoon } from '../../templates/compiled-template.js';
import { TemplateStore } from '../../templates/template-store.js';
import { type Part, type Replacement, unchanged } from '../part.js';

type Directories = Configuration['directories'];

export interface Pages {
  readonly directories: readonly string[];
  readonly find: FindFile;
}

export class PagesPart implements Part {
  readonly name = 'pages';
  readonly reads = ['directories'] as const;
  readonly #log: Log;
  readonly #shipped: TemplateStore;
  #directories: Directories;
  #stores: Map<string, TemplateStore>;

  constructor({ directories }: Configuration, log: Log) {
    this.#log = log;
    this.#directories = directories;
    this.#stores = new Map([...directories].map(([name, directory]) => [name, new TemplateStore({ directory, log })]));
    this.#shipped = new TemplateStore({ directory: join(installationFolder, 'templates', 'portal'), log });
  }

  /** Current pages. Callers may keep them across a reload. */
  get pages(): Pages {
    const stores = this.#stores;
    return {
      directories: [...stores.keys()],
      find: (directory, name) => {
        const store = stores.get(directory);
        return store && foundIn(store, name);
      },
    };
  }

  get stores(): readonly { readonly name: string; readonly folder: string; readonly store: TemplateStore }[] {
    const folders = this.#directories;
    return [...this.#stores].map(([name, store]) => ({ name, folder: folders.get(name) ?? '', store }));
  }

  /** For entry points whose directory has no page of the name. */
  readonly findShipped = (name: string): FoundSoon => foundIn(this.#shipped, name);

  async start(): Promise<void> {
    for (const store of [...this.#stores.values(), this.#shipped]) await store.open();
  }

  async stop(): Promise<void> {
    for (const store of [...this.#stores.values(), this.#shipped]) store.close();
  }

  async replace({ directories }: Configuration): Promise<Replacement> {
    // The order matters: files of scenarios are searched in it.
    if (isDeepStrictEqual([...directories], [...this.#directories])) return unchanged;
    const stores = new Map<string, TemplateStore>();
    const added: TemplateStore[] = [];
    const closeAll = (all: Iterable<TemplateStore>) => {
      for (const store of all) store.close();
    };
    try {
      for (const [name, directory] of directories) {
        const known = this.#directories.get(name) === directory ? this.#stores.get(name) : undefined;
        const store = known ?? new TemplateStore({ directory, log: this.#log });
        stores.set(name, store);
        if (known !== undefined) continue;
        added.push(store);
        await store.open();
      }
    } catch (error) {
      closeAll(added);
      throw error;
    }
    return {
      ...unchanged,
      takenOver: ['directories'],
      take: () => {
        // A closed store still finds pages. It checks the disk once a second.
        closeAll([...this.#stores.values()].filter((store) => ![...stores.values()].includes(store)));
        this.#directories = directories;
        this.#stores = stores;
      },
      discard: () => closeAll(added),
    };
  }
}

function foundIn(store: TemplateStore, name: string): FoundSoon {
  const known = store.peek(name);
  return known === undefined ? store.find(name) : known.entry;
}
