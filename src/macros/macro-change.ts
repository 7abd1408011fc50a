import type { StoredMacros } from './stored-macros.js';

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
