import { createHash, randomBytes } from 'node:crypto';
import { foldedName } from '../access/users/security-name.js';
import type { UserStore } from '../access/users/user-store.js';
import { ServiceError } from '../lib/errors.js';
import { steadyNow } from '../lib/steady-clock.js';
import { type MacroDirectory, noDirectory } from './macro-directory.js';

export const MOST_DIRECTORY_KEYS = 100_000;
export const MOST_DIRECTORY_KEYS_OF_HOLDER = 20_000;

export interface DirectoryKeyRecord {
  /** SHA-256 of the key. */
  readonly id: string;
  /** User ID in lower case. */
  readonly holder: string;
  readonly directory: MacroDirectory;
  /** Hash of the identities of the holder and the directory's user or group; a change invalidates the key. */
  readonly identity: string;
  /** Milliseconds of `steadyNow`. */
  readonly until: number;
}

/**
 * Store of issued keys. Never returns expired keys. If there are too many keys, of a holder or in total, it drops the
 * oldest. Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE.
 */
export interface DirectoryKeyStore {
  add(record: DirectoryKeyRecord, now: number): Promise<void>;
  find(id: string, now: number): Promise<DirectoryKeyRecord | undefined>;
}

/** Length of every key. Keys never contain `:` `,` `=` `+` or blanks. */
export const DIRECTORY_KEY_LENGTH = 32;
const RANDOM_BYTES = 24;
const LIFE_MILLISECONDS = 60 * 60 * 1000;
const REISSUED_MILLISECONDS = LIFE_MILLISECONDS / 2;

interface IssuedKey {
  readonly key: string;
  readonly issuedAt: number;
  readonly identity: string;
  readonly kept: Promise<void>;
}

/**
 * Keys for uploads to a directory: each for the user who requested it, for one directory, for an hour. If there are too
 * many, the oldest is dropped. Only hashes are stored. Every method throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE if
 * the store or the security database is unreachable.
 */
export class DirectoryKeys {
  readonly #store: DirectoryKeyStore;
  readonly #database: Pick<UserStore, 'identityOf' | 'findUser'>;
  readonly #now: () => number;
  /** Newest key issued by this process for each holder and directory, the oldest first. */
  readonly #newest = new Map<string, IssuedKey>();

  constructor(
    store: DirectoryKeyStore,
    database: Pick<UserStore, 'identityOf' | 'findUser'>,
    now: () => number = steadyNow,
  ) {
    this.#store = store;
    this.#database = database;
    this.#now = now;
  }

  /**
   * Returns the same key for the first half of its life, so that frequent requests do not use up the limit.
   * @throws ServiceError SVC_ERR_MACRO_DIRECTORY, SVC_ERR_MACRO_KEY if the directory or the holder has no record
   */
  async issue(directory: MacroDirectory, holder: string): Promise<string> {
    const identity = await this.#identityOf(directory, holder);
    if (identity === undefined) throw new ServiceError('SVC_ERR_MACRO_KEY');
    const place = `${foldedName(holder)} ${placeOf(directory)}`;
    const before = this.#newest.get(place);
    if (before?.identity === identity && this.#ageOf(before) < REISSUED_MILLISECONDS) {
      await before.kept;
      const isKept = (await this.find(before.key, holder)) !== undefined;
      if (isKept && this.#ageOf(before) < REISSUED_MILLISECONDS) return before.key;
      // a concurrent call may have issued another key in the meantime
      if (this.#newest.get(place) !== before) return this.issue(directory, holder);
    }
    const issued = this.#issued(directory, holder, identity);
    this.#newest.delete(place);
    this.#newest.set(place, issued);
    this.#forgetOld();
    try {
      await issued.kept;
    } catch (error) {
      if (this.#newest.get(place) === issued) this.#newest.delete(place);
      throw error;
    }
    return issued.key;
  }

  /**
   * Directory of a key. Undefined if the key does not exist or has expired, belongs to another user, or was issued for
   * a former record of the holder, group or user.
   * @throws ServiceError SVC_ERR_MACRO_DIRECTORY if the group or user no longer exists
   */
  async find(key: string, holder: string): Promise<MacroDirectory | undefined> {
    if (key.length !== DIRECTORY_KEY_LENGTH) return undefined;
    const record = await this.#store.find(hashOf(key), this.#now());
    if (record === undefined || record.holder !== foldedName(holder)) return undefined;
    const { directory, identity } = record;
    return identity === (await this.#identityOf(directory, holder)) ? directory : undefined;
  }

  #issued(directory: MacroDirectory, holder: string, identity: string): IssuedKey {
    const key = randomBytes(RANDOM_BYTES).toString('base64url');
    const issuedAt = this.#now();
    const until = issuedAt + LIFE_MILLISECONDS;
    const record = { id: hashOf(key), holder: foldedName(holder), directory, identity, until };
    return { key, issuedAt, identity, kept: this.#store.add(record, issuedAt) };
  }

  /** Includes the time of the holder's last password change, which ends the keys like the sign-ons. */
  async #identityOf(directory: MacroDirectory, holder: string): Promise<string | undefined> {
    const isGlobal = directory.level === 'global';
    const ofDirectory = isGlobal ? '' : await this.#database.identityOf(directory.level, directory.name);
    if (!isGlobal && ofDirectory === undefined) throw noDirectory(directory);
    const ofHolder = await this.#database.identityOf('user', holder);
    const user = await this.#database.findUser(holder);
    if (ofHolder === undefined || user === undefined) return undefined;
    return hashOf(JSON.stringify([ofHolder, user.passwordSet, ofDirectory]));
  }

  #ageOf({ issuedAt }: IssuedKey): number {
    return this.#now() - issuedAt;
  }

  #forgetOld(): void {
    for (const [place, issued] of this.#newest) {
      if (this.#newest.size <= MOST_DIRECTORY_KEYS && this.#ageOf(issued) < REISSUED_MILLISECONDS) return;
      this.#newest.delete(place);
    }
  }
}

function placeOf(directory: MacroDirectory): string {
  return directory.level === 'global' ? directory.level : `${directory.level} ${foldedName(directory.name)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
