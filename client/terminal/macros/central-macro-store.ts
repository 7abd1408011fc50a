import { type Macro, type MacroSet, NO_MACROS } from '../../../src/macros/macro-set.js';
import { forgetOthers, keepInBrowser } from '../browser-storage.js';
import { keepInTab, textInTab } from '../page-storage.js';
import { words } from '../words/words.js';
import {
  type Level,
  levels,
  type MacroPlace,
  namesIn,
  type ReadMacros,
  RefusedError,
  readMacros,
  readPublishing,
  saveMacros,
} from './central-macro-requests.js';
import type { MacroGroup, MacroPublishing, MacroStore, ReasonNotSaved } from './macro-store.js';
import { changedMacros, type Decide, type MacroChange, TooManyMacrosError } from './model/macro-change.js';
import { MacroFileError, macroSetOf } from './model/macro-file.js';
import { isReadingDue, type RefreshPolicy } from './model/refresh-policy.js';

/** Last read macros; one cache for each user of the browser. */
interface Cache {
  readonly readAt: number;
  /** Name of the group whose macros `group` contains. */
  readonly groupName: string;
  readonly etag: string | undefined;
  readonly publishes: readonly string[];
  readonly sets: Readonly<Record<Level, MacroSet>>;
}

interface CentralMacroOptions {
  readonly user: string;
  readonly group: string;
  readonly policy: RefreshPolicy;
}

/** The user's own macros were saved, but the others were never read. */
const NEVER_READ = 0;
const MOST_ATTEMPTS = 3;

const CACHE_PREFIX = 'sallyport-macros-of:';

export class CentralMacroStore implements MacroStore {
  readonly isCentralized = true;
  changed = () => {};
  notice = '';
  readonly #options: CentralMacroOptions;
  readonly #cacheKey: string;
  #cache: Cache | undefined;
  readonly #changes: Record<Level, number> = { user: 0, group: 0, global: 0 };

  constructor(options: CentralMacroOptions) {
    this.#options = options;
    this.#cacheKey = `${CACHE_PREFIX}${options.user}`;
    forgetOthers([CACHE_PREFIX], [this.#cacheKey]);
    this.#restore();
    addEventListener('storage', ({ key }) => {
      if (key !== this.#cacheKey) return;
      for (const level of levels) this.#changes[level]++;
      this.#restore();
      this.changed();
    });
    const state = {
      readAt: this.#cache?.readAt ? new Date(this.#cache.readAt) : undefined,
      isReadInThisSession: textInTab(this.#cacheKey) !== null,
      now: new Date(),
    };
    if (isReadingDue(options.policy, state)) void this.refresh();
  }

  get groups(): readonly MacroGroup[] {
    const { user, group } = this.#options;
    const titles = {
      user: words('central.user', { name: user }),
      group: words('central.group', { name: group }),
      global: words('central.global'),
    };
    return levels.map((level) => ({
      title: titles[level].trim(),
      macros: this.#sets[level].macros,
      isOwn: level === 'user',
    }));
  }

  readonly refresh = async (): Promise<void> => {
    const problems = new Set<string>();
    const found = new Map<Level, ReadMacros>();
    const before = { ...this.#changes };
    const reading = readPublishing();
    await Promise.all(
      levels.map(async (level) => {
        try {
          found.set(level, await readMacros({ level }));
        } catch (thrown) {
          problems.add(thrown instanceof RefusedError ? thrown.message : words('central.noMacroFile', { level }));
        }
      }),
    );
    const publishes = await reading;
    const sets = { ...this.#sets };
    let etag = this.#cache?.etag;
    for (const [level, read] of found) {
      // a version saved after the request is newer than the one read
      if (this.#changes[level] !== before[level]) continue;
      sets[level] = read.set;
      if (level === 'user') etag = read.etag;
    }
    if (problems.size < levels.length && !problems.has(words('central.signOnEnded')))
      this.#keep(sets, etag, Date.now(), publishes);
    this.notice = [...problems].join(' ');
    if (problems.size > 0 && this.#cache?.readAt) {
      this.notice += words('central.listOf', { time: new Date(this.#cache.readAt).toLocaleString() });
    }
    this.changed();
  };

  async change(changes: readonly MacroChange[], decide: Decide): Promise<ReasonNotSaved | undefined> {
    return this.#save({ level: 'user' }, { set: this.#sets.user, etag: this.#cache?.etag }, changes, decide);
  }

  get publishing(): MacroPublishing | undefined {
    const { group: own } = this.#options;
    const groups = this.#cache?.publishes ?? [];
    if (groups.length === 0) return undefined;
    const publish = (group: string, macro: Macro, decide: Decide) =>
      this.#save(group === own ? { level: 'group' } : { level: 'group', group }, undefined, [{ after: macro }], decide);
    return { groups, own, publish };
  }

  /** @param known last read version; undefined to read it first */
  async #save(
    place: MacroPlace,
    known: ReadMacros | undefined,
    changes: readonly MacroChange[],
    decide: Decide,
  ): Promise<ReasonNotSaved | undefined> {
    try {
      let now = known ?? (await readMacros(place));
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const macros = await changedMacros(now.set.macros, changes, decide);
        if (macros === undefined) return '';
        const set = { ...now.set, macros };
        const saved = await saveMacros(place, set, now.etag);
        if (saved.kind === 'changedMeanwhile') {
          now = await readMacros(place);
          this.#keepPlace(place, now);
          continue;
        }
        this.#keepPlace(place, { set, etag: saved.etag ?? (await readMacros(place)).etag });
        this.notice = '';
        this.changed();
        return undefined;
      }
      return words('central.contended');
    } catch (thrown) {
      const reason =
        thrown instanceof TooManyMacrosError || thrown instanceof RefusedError
          ? thrown.message
          : words(thrown instanceof MacroFileError ? 'central.serverHasNoMacroFile' : 'server.unreachable');
      return words('central.notSaved', { reason });
    }
  }

  #keepPlace({ level, group }: MacroPlace, { set, etag }: ReadMacros): void {
    // the list contains only the user's own group
    if (group !== undefined) return;
    this.#changes[level]++;
    this.#keep({ ...this.#sets, [level]: set }, level === 'user' ? etag : this.#cache?.etag);
  }

  get #sets(): Readonly<Record<Level, MacroSet>> {
    return this.#cache?.sets ?? { user: NO_MACROS, group: NO_MACROS, global: NO_MACROS };
  }

  #keep(
    sets: Readonly<Record<Level, MacroSet>>,
    etag: string | undefined,
    readAt = this.#cache?.readAt ?? NEVER_READ,
    publishes = this.#cache?.publishes ?? [],
  ): void {
    this.#cache = { readAt, groupName: this.#options.group, etag, publishes, sets };
    if (readAt !== NEVER_READ) keepInTab(this.#cacheKey, 'read');
    // without storage, they are read again next time
    keepInBrowser(this.#cacheKey, JSON.stringify(this.#cache));
  }

  #restore(): void {
    try {
      const cache = JSON.parse(localStorage.getItem(this.#cacheKey) ?? 'null') as Cache | null;
      if (cache === null) return;
      const { readAt, etag, groupName, publishes } = cache;
      const [user, group, global] = levels.map((level) => macroSetOf(cache.sets[level], true)) as [
        MacroSet,
        MacroSet,
        MacroSet,
      ];
      const sets = { user, group: groupName === this.#options.group ? group : NO_MACROS, global };
      this.#cache = {
        readAt: Number(readAt),
        groupName: this.#options.group,
        etag,
        publishes: namesIn(publishes),
        sets,
      };
    } catch {
      // a cache of another version or of another script counts as empty
    }
  }
}
