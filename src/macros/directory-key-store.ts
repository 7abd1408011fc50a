import type { MacroDirectory } from './macro-directory.js';

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
