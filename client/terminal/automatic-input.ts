import type { ScreenChoice } from '../../src/tn3270/screen/screen-condition.js';
import type { PerformedAction } from './model/performed-action.js';

/** Error code: the key was meant for another screen. */
export const OTHER_SCREEN = 'SVC_ERR_SUBMIT_SCREEN';

/** Types instead of the user, such as a macro. */
export interface AutomaticInput {
  readonly screens: ScreenChoice | undefined;
  notice(): void;
  stop(reason: string): void;
  /** Its key was rejected because the current screen is none of `screens`. */
  refused(): void;
}

export interface Recording {
  performed(action: PerformedAction): void;
  /** An attention key sent without the screen. */
  sent(key: string): void;
}
