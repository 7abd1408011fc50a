import { createHash } from 'node:crypto';
import type { MacroDirectory, MacroLevel } from './macro-directory.js';

export const KEPT_VERSIONS = 5;

export interface MacroVersion {
  /** Increases with each version; never reused. */
  readonly number: number;
  readonly etag: string;
  readonly size: number;
  /** Time of the upload. */
  readonly modified: Date;
  /** False for all versions if the file of the directory was removed. */
  readonly current: boolean;
}

export interface StoredMacroDirectory {
  readonly directory: MacroDirectory;
  readonly etag: string;
  readonly size: number;
  readonly modified: Date;
}

/**
 * The macro files of all directories, with their previous versions. Directory names are case-insensitive. Changes of a
 * directory run in order, each on the result of the previous one; of several changes that expect the same file, only
 * one succeeds. A change calls `record`, which makes the change. If `record` rejects, nothing has changed; until then,
 * readers receive the old file.
 *
 * Every method throws ServiceError SVC_ERR_MACRO_DIRECTORY for a name that is not valid for users and groups. Changes
 * also throw SVC_ERR_MACRO_CHANGED if the file is not the expected one, SVC_ERR_SERVICE_BUSY, SVC_ERR_SERVICE_STOPPING,
 * and the errors of `record`. Other errors come from the storage.
 */
export interface MacroStore {
  read(directory: MacroDirectory): Promise<StoredMacros | undefined>;
  /**
   * Stores a macro file as the newest version, in the order of the calls. A file identical to the current one creates
   * no version.
   * @throws ServiceError SVC_ERR_MACRO_CONTENT, SVC_ERR_MACRO_SIZE
   */
  write(directory: MacroDirectory, bytes: Uint8Array, options?: MacroChangeOptions): Promise<MacroChange>;
  /** Newest first: at most the current one and KEPT_VERSIONS previous ones. */
  versions(directory: MacroDirectory): Promise<readonly MacroVersion[]>;
  /** Undefined if the version does not exist or was dropped. */
  readVersion(directory: MacroDirectory, number: number): Promise<StoredMacros | undefined>;
  /**
   * Stores a copy of a version as the newest one.
   * @throws ServiceError SVC_ERR_MACRO_DIRECTORY if the version does not exist, and the errors of `write`
   */
  restore(directory: MacroDirectory, number: number, options?: MacroChangeOptions): Promise<MacroChange>;
  /** Removes the current file, which remains as a version. Without a current file, nothing is changed or recorded. */
  remove(
    directory: MacroDirectory,
    options?: MacroChangeOptions,
  ): Promise<{ readonly before: StoredMacros | undefined }>;
  list(level: MacroLevel): Promise<readonly StoredMacroDirectory[]>;
}

export interface MacroChange {
  readonly before: StoredMacros | undefined;
  readonly after: StoredMacros;
}

interface IntendedMacroChange {
  readonly before: StoredMacros | undefined;
  /** Undefined for a removal. */
  readonly after: Pick<StoredMacros, 'bytes' | 'etag'> | undefined;
}

/** Records a change and calls `make`; rejects without the change if it cannot be recorded. */
export type RecordMacroChange = <T>(change: IntendedMacroChange, make: () => Promise<T>) => Promise<T>;

export interface MacroChangeOptions {
  /** Etag of the file known to the caller, null for no file; undefined: any. */
  readonly expected?: string | null | undefined;
  readonly record?: RecordMacroChange;
}

/** A file as uploaded, byte for byte. */
export interface StoredMacros {
  readonly bytes: Buffer;
  /** Includes the quotation marks; depends only on the bytes. */
  readonly etag: string;
  readonly modified: Date;
}

/** Etag in every store: the first 32 hexadecimal digits of the SHA-256, in quotation marks. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}
