import type { ScreenChoice } from '../../../../src/tn3270/screen/screen-condition.js';

/** Why a macro was not played to its end. */
export interface PlayStop {
  /** Its step, counted as the editor has them on lines, from 1. */
  readonly step: number;
  readonly reason: string;
  /** Where the screen or the keyboard was another than the step takes for granted: what it was to be, and where. */
  readonly expected?: string;
  /** Where another screen came than was expected. */
  readonly otherScreen?: OtherScreen;
}

export interface OtherScreen {
  /** Of each screen that was expected, what does not hold on this one. */
  readonly missing: ScreenChoice;
  /** The screen that came, as text. */
  readonly picture: string;
}

/** The macro does not go on. */
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
