import { createHash } from 'node:crypto';
import type { MacroDirectory, MacroLevel } from './macro-directory.js';

/** How many versions before the newest can be restored. */
export const KEPT_VERSIONS = 5;

export interface MacroVersion {
  /** One more than the version before it; never used again. */
  readonly number: number;
  readonly etag: string;
  readonly size: number;
  /** When it was uploaded. */
  readonly modified: Date;
  /** Whether it is the one that is read; the newest is not where the directory's file was removed. */
  readonly current: boolean;
}

export interface StoredMacroDirectory {
  /** Its name in lower case. */
  readonly directory: MacroDirectory;
  readonly etag: string;
  readonly size: number;
  readonly modified: Date;
}

/**
 * The macro files of all directories, with the versions before them. Names of directories are found in any case. Changes of one
 * directory happen one after the other, each on what the last one left: of several that expect the same file, one is made.
 * `record` is called with what a change is about to make, and makes it: where it rejects nothing was changed, and who reads
 * meanwhile is given what was there before.
 *
 * Everything throws ServiceError SVC_ERR_MACRO_DIRECTORY for a name that no user and no group can have; what changes something
 * throws SVC_ERR_MACRO_CHANGED where the file is another than the expected one, SVC_ERR_SERVICE_BUSY and _STOPPING as well,
 * and what `record` throws. Whatever else is thrown comes of the disk, or whatever keeps the files.
 */
export interface MacroStore {
  /** The current file of a directory; undefined where there is none. */
  read(directory: MacroDirectory): Promise<StoredMacros | undefined>;
  /**
   * Stores a macro file as the newest version, in the order of the calls. What is current already makes no version.
   * @throws ServiceError SVC_ERR_MACRO_CONTENT, SVC_ERR_MACRO_SIZE
   */
  write(directory: MacroDirectory, bytes: Uint8Array, options?: MacroChangeOptions): Promise<MacroChange>;
  /** The newest first: at most the current one and KEPT_VERSIONS before it. */
  versions(directory: MacroDirectory): Promise<readonly MacroVersion[]>;
  /** Undefined where there is no such version, or no longer. */
  readVersion(directory: MacroDirectory, number: number): Promise<StoredMacros | undefined>;
  /**
   * Stores a version once more, as the newest one.
   * @throws ServiceError SVC_ERR_MACRO_DIRECTORY where there is no such version, and what `write` throws
   */
  restore(directory: MacroDirectory, number: number, options?: MacroChangeOptions): Promise<MacroChange>;
  /** Takes the current file away, which stays a version. Where there is none nothing is changed, nor put on record. */
  remove(
    directory: MacroDirectory,
    options?: MacroChangeOptions,
  ): Promise<{ readonly before: StoredMacros | undefined }>;
  /** The directories that have a file, in the order of their names. */
  list(level: MacroLevel): Promise<readonly StoredMacroDirectory[]>;
}

export interface MacroChange {
  readonly before: StoredMacros | undefined;
  readonly after: StoredMacros;
}

/** What a change is about to make of the current file. */
interface IntendedMacroChange {
  readonly before: StoredMacros | undefined;
  /** Undefined: there will be none. */
  readonly after: Pick<StoredMacros, 'bytes' | 'etag'> | undefined;
}

/** Makes a change, and sees to it that it is put on record; where that cannot be it rejects, and makes none. */
export type RecordMacroChange = <T>(change: IntendedMacroChange, make: () => Promise<T>) => Promise<T>;

/** What a change of the current file depends on. */
export interface MacroChangeOptions {
  /** The etag of the file that the caller has seen, null for none; undefined: whatever is there. */
  readonly expected?: string | null | undefined;
  readonly record?: RecordMacroChange;
}

/** A file as it was uploaded, byte for byte. */
export interface StoredMacros {
  readonly bytes: Buffer;
  /** In quotation marks; the same for the same bytes. */
  readonly etag: string;
  readonly modified: Date;
}

/** The tag of a file, wherever it is kept: 32 hexadecimal digits, the first ones of its SHA-256, in quotation marks. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}
