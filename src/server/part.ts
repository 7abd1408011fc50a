import type { Configuration } from '../config/configuration.js';
import type { NeedsRestart, Replaced } from '../operation/configuration-operations.js';

/** Something that listens, as the start of the server lists it. */
export interface Listener {
  readonly name: string;
  readonly url: string;
  readonly purpose: string;
}

export const WAITS_FOR_PORT = ' (the port is taken: goes on trying)';

/** What a part has made ready for another configuration. One of `take` and `discard` is called, once. */
export interface Replacement extends Replaced {
  /** From here on new requests, calls and sessions have it; those under way end with what they began with. */
  take(): void;
  /** Lets it go: nothing of it was served. */
  discard(): void;
}

/** Something that the server starts, stops and, where nobody need be sent home for it, exchanges. */
export interface Part {
  readonly name: string;
  /** What it reads of the configuration: a change of that it takes over or refuses. */
  readonly reads: readonly (keyof Configuration)[];
  /** Rejects in words where it cannot work at all; it is stopped even then. */
  start(): Promise<void>;
  /** @param graceMilliseconds for what is under way */
  stop(graceMilliseconds: number): Promise<void>;
  /** Makes ready what is different in another configuration. Rejects in words where that cannot work; nothing has changed then. */
  replace(next: Configuration): Promise<Replacement>;
}

const nothing = () => {};
export const unchanged: Replacement = { takenOver: [], needsRestart: [], take: nothing, discard: nothing };

export function refused(...needsRestart: readonly NeedsRestart[]): Replacement {
  return { ...unchanged, needsRestart };
}
