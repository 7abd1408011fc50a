import { randomBytes } from 'node:crypto';
import { foldedName } from '../security/security-name.js';
import type { MacroDirectory } from './macro-directory.js';

/** Characters of every key: one more is not part of it. None of them is `:` `,` `=` `+` or a blank. */
export const DIRECTORY_KEY_LENGTH = 32;
export const MOST_DIRECTORY_KEYS = 100_000;
export const MOST_DIRECTORY_KEYS_OF_HOLDER = 20_000;
const RANDOM_BYTES = 24;
const LIFE_MILLISECONDS = 60 * 60 * 1000;
const REISSUED_MILLISECONDS = LIFE_MILLISECONDS / 2;

interface IssuedKey {
  readonly directory: MacroDirectory;
  readonly holder: string;
  readonly issuedAt: number;
}

interface Holder {
  /** All that work, the oldest first. */
  readonly keys: Set<string>;
  /** The newest key of each directory. */
  readonly newest: Map<string, string>;
}

interface DirectoryKeysOptions {
  /** Milliseconds on a clock that nobody sets. */
  readonly now?: () => number;
}

/**
 * The keys that open a directory for an upload: each for the user who got it, for one directory, for an hour. Where there
 * are too many, the oldest is forgotten.
 */
export class DirectoryKeys {
  readonly #now: () => number;
  /** The oldest first. */
  readonly #keys = new Map<string, IssuedKey>();
  readonly #holders = new Map<string, Holder>();

  constructor(options: DirectoryKeysOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** The same key again for the first half of its life, so that a client that asks often does not use up its keys. */
  issue(directory: MacroDirectory, holder: string): string {
    this.#forgetExpired();
    const folded = foldedName(holder);
    const identity = identityOf(directory);
    const before = this.#holders.get(folded)?.newest.get(identity);
    const issued = before === undefined ? undefined : this.#keys.get(before);
    if (before !== undefined && issued !== undefined && this.#ageOf(issued) < REISSUED_MILLISECONDS) return before;

    const key = randomBytes(RANDOM_BYTES).toString('base64url');
    this.#keys.set(key, { directory, holder: folded, issuedAt: this.#now() });
    const of = this.#holders.get(folded) ?? { keys: new Set(), newest: new Map() };
    this.#holders.set(folded, of);
    of.keys.add(key);
    of.newest.set(identity, key);
    if (of.keys.size > MOST_DIRECTORY_KEYS_OF_HOLDER) this.#forgetFirst(of.keys);
    if (this.#keys.size > MOST_DIRECTORY_KEYS) this.#forgetFirst(this.#keys.keys());
    return key;
  }

  /** The directory of a key; undefined where there is no such key, it has expired, or somebody else got it. */
  find(key: string, holder: string): MacroDirectory | undefined {
    const issued = this.#keys.get(key);
    if (issued === undefined || issued.holder !== foldedName(holder)) return undefined;
    return this.#ageOf(issued) < LIFE_MILLISECONDS ? issued.directory : undefined;
  }

  #ageOf({ issuedAt }: IssuedKey): number {
    return this.#now() - issuedAt;
  }

  #forgetExpired(): void {
    for (const [key, issued] of this.#keys) {
      if (this.#ageOf(issued) < LIFE_MILLISECONDS) return;
      this.#forget(key);
    }
  }

  #forgetFirst(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#forget(key);
      return;
    }
  }

  #forget(key: string): void {
    const issued = this.#keys.get(key);
    const of = issued === undefined ? undefined : this.#holders.get(issued.holder);
    this.#keys.delete(key);
    if (issued === undefined || of === undefined) return;
    of.keys.delete(key);
    const identity = identityOf(issued.directory);
    if (of.newest.get(identity) === key) of.newest.delete(identity);
    if (of.keys.size === 0) this.#holders.delete(issued.holder);
  }
}

function identityOf(directory: MacroDirectory): string {
  return directory.level === 'global' ? directory.level : `${directory.level} ${foldedName(directory.name)}`;
}
