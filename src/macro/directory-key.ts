import { createHash, randomBytes } from 'node:crypto';
import { foldedName } from '../security/security-name.js';
import { steadyNow } from '../security/steady-clock.js';
import { type DirectoryKeyStore, MOST_DIRECTORY_KEYS } from './directory-key-store.js';
import type { MacroDirectory } from './macro-directory.js';

/** Characters of every key: one more is not part of it. None of them is `:` `,` `=` `+` or a blank. */
export const DIRECTORY_KEY_LENGTH = 32;
const RANDOM_BYTES = 24;
const LIFE_MILLISECONDS = 60 * 60 * 1000;
const REISSUED_MILLISECONDS = LIFE_MILLISECONDS / 2;

interface IssuedKey {
  readonly key: string;
  readonly issuedAt: number;
  /** Whether the store has it. */
  readonly kept: Promise<void>;
}

/**
 * The keys that open a directory for an upload: each for the user who got it, for one directory, for an hour. Where there
 * are too many, the oldest is forgotten. What is kept does not tell the keys.
 * Everything throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE where the store cannot be asked.
 */
export class DirectoryKeys {
  readonly #store: DirectoryKeyStore;
  readonly #now: () => number;
  /** The newest key that this process has issued to each holder for each directory; the oldest in front. */
  readonly #newest = new Map<string, IssuedKey>();

  constructor(store: DirectoryKeyStore, now: () => number = steadyNow) {
    this.#store = store;
    this.#now = now;
  }

  /** The same key again for the first half of its life, so that a client that asks often does not use up its keys. */
  async issue(directory: MacroDirectory, holder: string): Promise<string> {
    const identity = `${foldedName(holder)} ${identityOf(directory)}`;
    const before = this.#newest.get(identity);
    if (before !== undefined && this.#ageOf(before) < REISSUED_MILLISECONDS) {
      await before.kept;
      const isKept = (await this.find(before.key, holder)) !== undefined;
      if (isKept && this.#ageOf(before) < REISSUED_MILLISECONDS) return before.key;
      // somebody else may have found that out before, and have issued another
      if (this.#newest.get(identity) !== before) return this.issue(directory, holder);
    }
    const issued = this.#issued(directory, holder);
    this.#newest.delete(identity);
    this.#newest.set(identity, issued);
    this.#forgetOld();
    try {
      await issued.kept;
    } catch (error) {
      if (this.#newest.get(identity) === issued) this.#newest.delete(identity);
      throw error;
    }
    return issued.key;
  }

  /** The directory of a key; undefined where there is no such key, it has expired, or somebody else got it. */
  async find(key: string, holder: string): Promise<MacroDirectory | undefined> {
    if (key.length !== DIRECTORY_KEY_LENGTH) return undefined;
    const record = await this.#store.find(idOf(key), this.#now());
    return record?.holder === foldedName(holder) ? record.directory : undefined;
  }

  #issued(directory: MacroDirectory, holder: string): IssuedKey {
    const key = randomBytes(RANDOM_BYTES).toString('base64url');
    const issuedAt = this.#now();
    const record = { id: idOf(key), holder: foldedName(holder), directory, until: issuedAt + LIFE_MILLISECONDS };
    return { key, issuedAt, kept: this.#store.add(record, issuedAt) };
  }

  #ageOf({ issuedAt }: IssuedKey): number {
    return this.#now() - issuedAt;
  }

  #forgetOld(): void {
    for (const [identity, issued] of this.#newest) {
      if (this.#newest.size <= MOST_DIRECTORY_KEYS && this.#ageOf(issued) < REISSUED_MILLISECONDS) return;
      this.#newest.delete(identity);
    }
  }
}

function identityOf(directory: MacroDirectory): string {
  return directory.level === 'global' ? directory.level : `${directory.level} ${foldedName(directory.name)}`;
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
