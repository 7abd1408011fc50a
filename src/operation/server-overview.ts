import type { MinuteFigure } from './minute-figures.js';

/** Something that must hold for the server to be well. */
export interface CheckReport {
  readonly name: string;
  readonly status: 'UP' | 'DOWN';
  /** What is wrong, in words. */
  readonly detail?: string;
}

/** The server as a whole: whether it is well, and how much it does. */
export interface ServerOverview {
  /** Asked anew, within seconds. */
  checks(): Promise<readonly CheckReport[]>;
  /** When it was started: milliseconds since 1970, on the clock of `lastHour`. */
  readonly startedAt: number;
  readonly now: number;
  /** The minute that runs now and up to 59 before it, the oldest first; none from before the start. */
  readonly lastHour: readonly MinuteFigure[];
}
