import type { ScreenChoice } from '../../src/tn3270/screen/screen-condition.js';
import type { PerformedAction } from './model/performed-action.js';

/** The code of a refusal: the key was for another screen than the one that was there. */
export const OTHER_SCREEN = 'SVC_ERR_SUBMIT_SCREEN';

/** Something that types in place of the user. */
export interface Occupant {
  /** Screens that its keys are for; undefined: any. */
  readonly screens: ScreenChoice | undefined;
  /** The terminal has changed. */
  notice(): void;
  stop(reason: string): void;
  /** Another screen was there than one of its own, and its key was not pressed. */
  refused(): void;
}

/** Whoever writes down what is done. */
export interface Recording {
  performed(action: PerformedAction): void;
  /** A key that goes to the host past the screen. */
  sent(key: string): void;
}
