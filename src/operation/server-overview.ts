import type { ClusterLoad } from './node-load.js';

/** Something that must hold for the server to be well. */
export interface CheckReport {
  readonly name: string;
  readonly status: 'UP' | 'DOWN';
  /** What is wrong, in words. */
  readonly detail?: string;
}

/** The server as a whole: whether it is well, and how much it does, with the others of its cluster. */
export interface ServerOverview {
  /** Asked anew, within seconds. */
  checks(): Promise<readonly CheckReport[]>;
  /** When it was started: milliseconds since 1970, on the clock of `now`. */
  readonly startedAt: number;
  readonly now: number;
  /** The others are asked anew, within seconds. */
  load(): Promise<ClusterLoad>;
}
