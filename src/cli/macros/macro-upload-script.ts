import type { UploadPair } from './macro-upload-pair.js';

/** What a generated batch file is to do. */
export interface UploadScript {
  /** Sorted by group. */
  readonly pairs: readonly UploadPair[];
  /** Whether global/macros.json is posted by the first call. */
  readonly global: boolean;
  readonly server: string;
  readonly groupDirectory: string;
  readonly userDirectory: string;
  /** The command that is called where the variable SALLYPORT names no other: a program and its first arguments. */
  readonly command: readonly string[];
  /** For a person: which command made the file, and of which configuration. */
  readonly origin: string;
}

/** A call of `macros upload` for one user (specification 4.6). */
interface ScriptCall extends UploadPair {
  readonly global: 'Y' | 'N';
  /** 1 where the file of the group was posted already. */
  readonly flag: 0 | 1;
}

export function* callsOf({ pairs, global }: UploadScript): Generator<ScriptCall> {
  let before: UploadPair | undefined;
  for (const pair of pairs) {
    yield {
      ...pair,
      global: global && before === undefined ? 'Y' : 'N',
      flag: before?.group === pair.group ? 1 : 0,
    };
    before = pair;
  }
}
