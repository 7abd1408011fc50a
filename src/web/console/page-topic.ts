import type { Role } from '../../access/users/security-database.js';
import type { ConsoleTopic, TopicFeed, TopicRequest } from './console-streams.js';

/** Makes a page as somebody of a role is shown it. */
type MakePage = (parameter: string, role: Role) => Promise<string>;

/** A section that is told when it changes: `<section data-live="NAME">`. There are none in it. */
const LIVE_SECTION = /<section\b[^>]*\bdata-live="([\w-]+)"[^>]*>[\s\S]*?<\/section>/g;

/** For which a page counts as that of now. */
const FRESH_MILLISECONDS = 2_000;
/** Of the time, what at most goes into making pages: one part of so many. */
const PARTS_OF_TIME = 10;
const LONGEST_PAUSE_MILLISECONDS = 10_000;

/** Makes pages one after the other, with pauses in between: however many are watched, most of the time is for others. */
export class PageMaking {
  readonly #wanted = new Set<() => Promise<void>>();
  #isBusy = false;

  /** @param make never rejects; is called once, however often it is wanted before */
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
  /** It cannot be made; what was told before stays. */
  readonly onFault: (error: unknown) => void;
}

/** A page of the portal whose sections change. It is made once for all who look at it, and each is told what is new for them. */
export class PageTopic implements ConsoleTopic {
  readonly role: Role;
  readonly #options: PageTopicOptions;
  /** By what is shown, and to which role. */
  readonly #watched = new Map<string, WatchedPage>();

  constructor(options: PageTopicOptions) {
    this.role = options.role;
    this.#options = options;
  }

  open({ parameter, role, wake }: TopicRequest): TopicFeed {
    const key = `${role} ${parameter}`;
    const { make, making, onFault } = this.#options;
    const page = this.#watched.get(key) ?? new WatchedPage(() => make(parameter, role), making, onFault);
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
  /** Of the last change; 0: it was not made yet. */
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
        // once, for as long as it is the same
        if (String(error) !== this.#trouble) onFault(error);
        this.#trouble = String(error);
      }
      this.#madeAt = performance.now();
    };
  }

  /** Has it made anew where it is old. */
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
