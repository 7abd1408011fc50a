import { createHash, randomBytes } from 'node:crypto';
import type { SecurityDatabase } from '../access/users/security-database.js';
import { foldedName } from '../access/users/security-name.js';
import { ServiceError } from '../lib/errors.js';
import { steadyNow } from '../lib/steady-clock.js';
import { type MacroDirectory, noDirectory, type RecordDirectory } from './macro-directory.js';

export const MOST_DIRECTORY_KEYS = 100_000;
export const MOST_DIRECTORY_KEYS_OF_HOLDER = 20_000;

/** A key as it is kept: whoever reads it cannot use it. */
export interface DirectoryKeyRecord {
  /** The SHA-256 of the key, which is kept nowhere. */
  readonly id: string;
  /** Who got it, in lower case. */
  readonly holder: string;
  readonly directory: MacroDirectory;
  /** Hash of the identities of the holder and of the directory's user or group. Another one opens nothing. */
  readonly identity: string;
  /** Milliseconds on the clock of `steadyNow`. */
  readonly until: number;
}

/**
 * The keys of directories that were issued. What is over is not there. Where there are too many, of a holder or of all, the
 * one added first is forgotten.
 * Every method may reject with ServiceError SVC_ERR_SECURITY_UNAVAILABLE.
 */
export interface DirectoryKeyStore {
  add(record: DirectoryKeyRecord, now: number): Promise<void>;
  find(id: string, now: number): Promise<DirectoryKeyRecord | undefined>;
}

/** Characters of every key: one more is not part of it. None of them is `:` `,` `=` `+` or a blank. */
export const DIRECTORY_KEY_LENGTH = 32;
const RANDOM_BYTES = 24;
const LIFE_MILLISECONDS = 60 * 60 * 1000;
const REISSUED_MILLISECONDS = LIFE_MILLISECONDS / 2;

interface IssuedKey {
  readonly key: string;
  readonly issuedAt: number;
  readonly identity: string;
  /** Whether the store has it. */
  readonly kept: Promise<void>;
}

/**
 * The keys that open a directory for an upload: each for the record of the user who got it, for one directory, for an hour.
 * Beyond the limits the store forgets the oldest key. The store keeps hashes, and no key.
 * Every method throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE if the store or the security database cannot be reached.
 */
export class DirectoryKeys {
  readonly #store: DirectoryKeyStore;
  readonly #database: Pick<SecurityDatabase, 'identityOf' | 'findUser'>;
  readonly #now: () => number;
  /** The newest key that this process has issued to each holder for each directory; the oldest in front. */
  readonly #newest = new Map<string, IssuedKey>();

  constructor(
    store: DirectoryKeyStore,
    database: Pick<SecurityDatabase, 'identityOf' | 'findUser'>,
    now: () => number = steadyNow,
  ) {
    this.#store = store;
    this.#database = database;
    this.#now = now;
  }

  /**
   * Returns the same key again for the first half of its life, so that a client that asks often does not use up its keys.
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
      // somebody else may have found that out before, and have issued another
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
   * The directory of a key. Undefined if the key does not exist or has expired, if another user got it, or if the record of
   * the holder, of the group or of the user is no longer the one for which the key was issued.
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

  /** A new password of the holder ends the keys, as it ends the sign-ons. */
  async #identityOf(directory: MacroDirectory, holder: string): Promise<string | undefined> {
    const ofDirectory = directory.level === 'global' ? '' : await this.#identityOfRecord(directory);
    const ofHolder = await this.#database.identityOf('user', holder);
    const user = await this.#database.findUser(holder);
    if (ofHolder === undefined || user === undefined) return undefined;
    return hashOf(JSON.stringify([ofHolder, user.passwordSet, ofDirectory]));
  }

  async #identityOfRecord(directory: RecordDirectory): Promise<string> {
    const identity = await this.#database.identityOf(directory.level, directory.name);
    if (identity === undefined) throw noDirectory(directory);
    return identity;
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
