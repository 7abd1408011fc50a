import type { Area, ScreenChoice } from '../../tn3270/screen/screen-condition.js';

/** What a page asks about the host while it plays a macro. */
export interface LookQuestion {
  /** For the host to free the keyboard; undefined: that is not waited for by itself. */
  readonly hostMilliseconds?: number | undefined;
  /** One of these is to be there. */
  readonly screens?: ScreenChoice | undefined;
  /** For one of them to come, from then on. */
  readonly screenMilliseconds?: number | undefined;
  /** What is displayed there is wanted. */
  readonly read?: Area | undefined;
}

export type LookAnswer =
  /** The host has answered. `screen`: which of them is there, from 0; `text`: what was to be read, where the screen has that place. */
  | { readonly kind: 'done'; readonly screen?: number | undefined; readonly text?: string | undefined }
  /** None of the screens is there: of each, which conditions do not hold, from 0. */
  | { readonly kind: 'otherScreen'; readonly missing: readonly (readonly number[])[] }
  /** The host has not freed the keyboard. */
  | { readonly kind: 'timedOut' }
  /** It has sent a faulty record. */
  | { readonly kind: 'faulty' }
  /** The macro has taken its time, or another page plays one. */
  | { readonly kind: 'over' };

/** Milliseconds that anything may be waited for at once. */
export const LONGEST_LOOK_MILLISECONDS = 600_000;
