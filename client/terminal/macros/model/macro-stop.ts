import type { ScreenChoice } from '../../../../src/tn3270/screen/screen-condition.js';

export interface PlayStop {
  /** Counted from 1, as lines in the editor. */
  readonly step: number;
  readonly reason: string;
  /** If the screen or the keyboard differed from the expectation of the step: what was expected, and where. */
  readonly expected?: string;
  readonly otherScreen?: OtherScreen;
}

export interface OtherScreen {
  /** For each expected screen, the conditions that the current screen does not meet. */
  readonly missing: ScreenChoice;
  readonly picture: string;
}

export class StopError extends Error {
  override readonly name = 'StopError';
  readonly expected: string | undefined;
  readonly otherScreen: OtherScreen | undefined;

  constructor(reason: string, expected?: string, otherScreen?: OtherScreen) {
    super(reason);
    this.expected = expected;
    this.otherScreen = otherScreen;
  }
}
