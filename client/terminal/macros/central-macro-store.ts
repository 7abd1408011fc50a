import { type MacroSet, NO_MACROS } from '../../../src/macro/macro-set.js';
import type { MacroGroup, MacroStore, ReasonNotSaved } from './macro-store.js';
import { changedMacros, type Decide, type MacroChange, TooManyMacrosError } from './model/macro-change.js';
import { MacroFileError, macroFileText, macroSetOf, readMacroFile } from './model/macro-file.js';
import { isReadingDue, type RefreshPolicy } from './model/refresh-policy.js';

const levels = ['user', 'group', 'global'] as const;
type Level = (typeof levels)[number];

/** What was read last; each user of the browser has one. */
interface Cache {
  readonly readAt: number;
  /** Of the group that `group` is of. */
  readonly groupName: string;
  readonly etag: string | undefined;
  readonly sets: Readonly<Record<Level, MacroSet>>;
}

interface CentralMacroOptions {
  readonly user: string;
  readonly group: string;
  readonly policy: RefreshPolicy;
}

/** The user's own were saved, and the others were never read. */
const NEVER_READ = 0;
const MOST_ATTEMPTS = 3;
const SIGN_ON_ENDED = 'Your sign-on has ended: sign on again to read and save macros.';
const UNREACHABLE = 'The server cannot be reached.';

const CACHE_PREFIX = 'sallyport-macros-of:';

/** What users before have left in this browser is none of the present one's business. */
function forgetOthers(own: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(CACHE_PREFIX) && key !== own) localStorage.removeItem(key);
  }
}

class RefusedError extends Error {}

/** Macros in the directories of the server, kept in the browser for the time between. */
export class CentralMacroStore implements MacroStore {
  readonly isCentralized = true;
  changed = () => {};
  notice = '';
  readonly #options: CentralMacroOptions;
  readonly #cacheKey: string;
  #cache: Cache | undefined;

  constructor(options: CentralMacroOptions) {
    this.#options = options;
    this.#cacheKey = `${CACHE_PREFIX}${options.user}`;
    forgetOthers(this.#cacheKey);
    this.#restore();
    addEventListener('storage', ({ key }) => {
      if (key !== this.#cacheKey) return;
      this.#restore();
      this.changed();
    });
    const state = {
      readAt: this.#cache?.readAt ? new Date(this.#cache.readAt) : undefined,
      isReadInThisSession: sessionStorage.getItem(this.#cacheKey) !== null,
      now: new Date(),
    };
    if (isReadingDue(options.policy, state)) void this.refresh();
  }

  get groups(): readonly MacroGroup[] {
    const { user, group } = this.#options;
    const titles = { user: `User ${user}`, group: `Group ${group}`, global: 'Global' };
    return levels.map((level) => ({
      title: titles[level].trim(),
      macros: this.#sets[level].macros,
      isOwn: level === 'user',
    }));
  }

  readonly refresh = async (): Promise<void> => {
    const problems = new Set<string>();
    const sets = { ...this.#sets };
    let etag = this.#cache?.etag;
    await Promise.all(
      levels.map(async (level) => {
        try {
          const read = await readLevel(level);
          sets[level] = read.set;
          if (level === 'user') etag = read.etag;
        } catch (thrown) {
          problems.add(thrown instanceof RefusedError ? thrown.message : `${level}: this is no macro file.`);
        }
      }),
    );
    if (problems.size < levels.length && !problems.has(SIGN_ON_ENDED)) this.#keep(sets, etag, Date.now());
    this.notice = [...problems].join(' ');
    if (problems.size > 0 && this.#cache?.readAt) {
      this.notice += ` The list is that of ${new Date(this.#cache.readAt).toLocaleString()}.`;
    }
    this.changed();
  };

  async change(changes: readonly MacroChange[], decide: Decide): Promise<ReasonNotSaved | undefined> {
    try {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const { user } = this.#sets;
        const macros = await changedMacros(user.macros, changes, decide);
        if (macros === undefined) return '';
        const set = { ...user, macros };
        const answer = await this.#put(set);
        if (answer.status === 412) {
          const { set: newer, etag } = await readLevel('user');
          this.#keep({ ...this.#sets, user: newer }, etag);
          continue;
        }
        if (!answer.ok) throw new RefusedError((await wordsOf(answer)) ?? statusWords(answer));
        const etag = answer.headers.get('etag') ?? (await readLevel('user')).etag;
        this.#keep({ ...this.#sets, user: set }, etag);
        this.notice = '';
        this.changed();
        return undefined;
      }
      return 'Somebody else saves all the time. Try again.';
    } catch (thrown) {
      if (thrown instanceof TooManyMacrosError || thrown instanceof RefusedError) return `Not saved. ${thrown.message}`;
      return `Not saved. ${thrown instanceof MacroFileError ? 'What the server has is no macro file.' : UNREACHABLE}`;
    }
  }

  get #sets(): Readonly<Record<Level, MacroSet>> {
    return this.#cache?.sets ?? { user: NO_MACROS, group: NO_MACROS, global: NO_MACROS };
  }

  #put(set: MacroSet): Promise<Response> {
    const etag = this.#cache?.etag;
    return request('user', {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        ...(etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag }),
      },
      body: macroFileText(set),
    });
  }

  #keep(
    sets: Readonly<Record<Level, MacroSet>>,
    etag: string | undefined,
    readAt = this.#cache?.readAt ?? NEVER_READ,
  ): void {
    this.#cache = { readAt, groupName: this.#options.group, etag, sets };
    try {
      if (readAt !== NEVER_READ) sessionStorage.setItem(this.#cacheKey, 'read');
      localStorage.setItem(this.#cacheKey, JSON.stringify(this.#cache));
    } catch {
      // without room, they are read again next time
    }
  }

  #restore(): void {
    try {
      const cache = JSON.parse(localStorage.getItem(this.#cacheKey) ?? 'null') as Cache | null;
      if (cache === null) return;
      const { readAt, etag, groupName } = cache;
      const [user, group, global] = levels.map((level) => macroSetOf(cache.sets[level], true)) as [
        MacroSet,
        MacroSet,
        MacroSet,
      ];
      const sets = { user, group: groupName === this.#options.group ? group : NO_MACROS, global };
      this.#cache = { readAt: Number(readAt), groupName: this.#options.group, etag, sets };
    } catch {
      // of another version, or somebody else's: as if there were none
    }
  }
}

function request(level: Level, options: RequestInit = {}): Promise<Response> {
  return fetch(`/w2h/${level}/macros.json`, { credentials: 'same-origin', cache: 'no-cache', ...options }).catch(() => {
    throw new RefusedError(UNREACHABLE);
  });
}

/** @throws RefusedError, MacroFileError */
async function readLevel(level: Level): Promise<{ readonly set: MacroSet; readonly etag: string | undefined }> {
  const answer = await request(level, { headers: { accept: 'application/json' } });
  if (answer.status === 404) return { set: NO_MACROS, etag: undefined };
  if (!answer.ok) throw new RefusedError(statusWords(answer));
  return { set: readMacroFile(await answer.text(), true), etag: answer.headers.get('etag') ?? undefined };
}

function statusWords({ status }: Response): string {
  return status === 401 || status === 403 ? SIGN_ON_ENDED : `The server answered ${status}.`;
}

/** What the server says itself. */
async function wordsOf(answer: Response): Promise<string | undefined> {
  try {
    const { code, message } = (await answer.json()) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof message === 'string') return typeof code === 'string' ? `${message} (${code})` : message;
  } catch {
    // no JSON
  }
  return undefined;
}
