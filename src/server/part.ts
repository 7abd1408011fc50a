import type { Configuration } from '../config/configuration.js';
import type { NeedsRestart, Replaced } from '../operation/configuration-operations.js';

export interface Listener {
  readonly name: string;
  readonly url: string;
  readonly purpose: string;
}

export const WAITS_FOR_PORT = ' (the port is taken: retrying)';

/** Prepared change of a part to another configuration. Exactly one of `take` and `discard` is called, once. */
export interface Replacement extends Replaced {
  /** Applies the change to new requests, calls and sessions. Existing ones keep the previous configuration. */
  take(): void;
  discard(): void;
}

/** Component that the server starts, stops and, where possible without ending sessions, changes. */
export interface Part {
  readonly name: string;
  /** Configuration keys that the part applies or rejects when they change. */
  readonly reads: readonly (keyof Configuration)[];
  /** Rejects with a message if the part cannot work. `stop` is called even then. */
  start(): Promise<void>;
  stop(graceMilliseconds: number): Promise<void>;
  /** Prepares a change to another configuration. If it rejects, nothing has changed. */
  replace(next: Configuration): Promise<Replacement>;
}

const nothing = () => {};
export const unchanged: Replacement = { takenOver: [], needsRestart: [], take: nothing, discard: nothing };

export function needsRestartOutcome(...needsRestart: readonly NeedsRestart[]): Replacement {
  return { ...unchanged, needsRestart };
}
