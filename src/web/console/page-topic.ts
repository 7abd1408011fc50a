import type { Role } from '../../access/users/user-store.js';
import type { Language } from '../../lib/locale.js';
import type { ConsoleTopic, TopicFeed, TopicRequest } from './console-streams.js';

type MakePage = (parameter: string, role: Role, language: Language) => Promise<string>;

/** A live section: `<section data-live="NAME">`, without nested sections. */
const LIVE_SECTION = /<section\b[^>]*\bdata-live="([\w-]+)"[^>]*>[\s\S]*?<\/section>/g;

const FRESH_MILLISECONDS = 2_000;
/** Rendering takes at most one of this many parts of the time. */
const PARTS_OF_TIME = 10;
const LONGEST_PAUSE_MILLISECONDS = 10_000;

/** Renders pages one after another with pauses in between, so that most of the time is left for other work. */
export class PageMaking {
  readonly #wanted = new Set<() => Promise<void>>();
  #isBusy = false;

  /** @param make must not reject; waiting repetitions are combined */
  want(make: () => Promise<void>): void {
    this.#wanted.add(make);
    void this.#goOn();
  }

  leave(make: () => Promise<void>): void {
    this.#wanted.delete(make);
  }

  async #goOn(): Promise<void> {
    const [make] = this.#wanted;
    if (this.#isBusy || make === undefined) return;
    this.#isBusy = true;
    this.#wanted.delete(make);
    const start = performance.now();
    await make();
    const pause = Math.min((PARTS_OF_TIME - 1) * (performance.now() - start), LONGEST_PAUSE_MILLISECONDS);
    setTimeout(() => {
      this.#isBusy = false;
      void this.#goOn();
    }, pause).unref();
  }
}

interface PageTopicOptions {
  readonly role: Role;
  readonly make: MakePage;
  readonly making: PageMaking;
  readonly onFault: (error: unknown) => void;
}

/** A portal page with live sections. It is rendered once for all viewers of a role and a language, and each receives only the changes. */
export class PageTopic implements ConsoleTopic {
  readonly role: Role;
  readonly #options: PageTopicOptions;
  readonly #watched = new Map<string, WatchedPage>();

  constructor(options: PageTopicOptions) {
    this.role = options.role;
    this.#options = options;
  }

  open({ parameter, role, language, wake }: TopicRequest): TopicFeed {
    const key = `${language} ${role} ${parameter}`;
    const { make, making, onFault } = this.#options;
    const page = this.#watched.get(key) ?? new WatchedPage(() => make(parameter, role, language), making, onFault);
    this.#watched.set(key, page);
    page.wakes.add(wake);
    let version = 0;
    return {
      next: () => {
        page.look();
        if (page.version === version) return undefined;
        const sections = page.since(version);
        version = page.version;
        return JSON.stringify({ sections });
      },
      close: () => {
        page.wakes.delete(wake);
        if (page.wakes.size > 0) return;
        page.leave();
        this.#watched.delete(key);
      },
    };
  }
}

class WatchedPage {
  /** Version of the last change; 0 before the first rendering. */
  version = 0;
  readonly wakes = new Set<() => void>();
  readonly #sections = new Map<string, { readonly html: string; readonly version: number }>();
  readonly #make: () => Promise<void>;
  readonly #making: PageMaking;
  #madeAt = Number.NEGATIVE_INFINITY;
  #trouble = '';

  constructor(make: () => Promise<string>, making: PageMaking, onFault: (error: unknown) => void) {
    this.#making = making;
    this.#make = async () => {
      try {
        this.#take(await make());
        this.#trouble = '';
      } catch (error) {
        // an unchanged error is reported once
        if (String(error) !== this.#trouble) onFault(error);
        this.#trouble = String(error);
      }
      this.#madeAt = performance.now();
    };
  }

  look(): void {
    if (performance.now() - this.#madeAt >= FRESH_MILLISECONDS) this.#making.want(this.#make);
  }

  leave(): void {
    this.#making.leave(this.#make);
  }

  since(version: number): Readonly<Record<string, string>> {
    const changed = [...this.#sections].filter(([, section]) => section.version > version);
    return Object.fromEntries(changed.map(([name, { html }]) => [name, html]));
  }

  #take(page: string): void {
    const version = this.version + 1;
    for (const [html, name = ''] of page.matchAll(LIVE_SECTION)) {
      if (this.#sections.get(name)?.html === html) continue;
      this.#sections.set(name, { html, version });
      this.version = version;
    }
    if (this.version === version) for (const wake of this.wakes) wake();
  }
}
