import type { EarlyPress } from './early/early-press.js';
import type { ComparedScreen } from './early/painted-comparison.js';

/** Keystrokes and other input that a user made before the terminal could take it, in the order of the user. */

export type EarlyStroke =
  | { readonly did: 'pressed'; readonly press: EarlyPress; readonly isModifier: boolean }
  | { readonly did: 'typed' | 'pasted'; readonly text: string }
  | { readonly did: 'placed'; readonly place: EarlyPlace };

/** Cell under a pointer, as distance in rows and columns from an input of the painted screen. */
export interface EarlyPlace {
  /** Address of the first character of the input. */
  readonly address: number;
  readonly rows: number;
  readonly columns: number;
}

/** Event that asks the early script for its strokes. `detail` is an `EarlyRelease`. After it, the script keeps no more strokes. */
export const RELEASE_STROKES = 'sallyport-release-strokes';

export interface EarlyRelease {
  /** Plays the strokes if this is the screen that the page was painted with. Without `shown`, the form of the page gets them. */
  readonly shown?: ComparedScreen;
  play?(stroke: EarlyStroke): void;
  discarded?(): void;
}

/** The strokes stay in the memory of the early script: an event asks for them, so that no name of the window leads to them. */
export function releaseEarlyStrokes(detail: EarlyRelease): void {
  document.dispatchEvent(new CustomEvent(RELEASE_STROKES, { detail }));
}
