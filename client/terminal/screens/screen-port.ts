import type { KeptScreen, PicturedScreen } from '../model/screen-history.js';
import type { ScreenOverlay } from '../text/screen-overlay.js';

/** What finding, printing and saving need of the page. */
export interface ScreenPort {
  readonly overlay: ScreenOverlay;
  /** That is shown. */
  readonly element: HTMLElement;
  /** The screens of the session, the one that is shown last, as they are now. */
  screens(): readonly KeptScreen[];
  current(): PicturedScreen;
  say(text: string): void;
  announce(text: string): void;
  focus(): void;
  /** Presses a key of the keyboard that is none of the page's: F3 stays the host's. @returns false where it is not mapped */
  pressKey(event: KeyboardEvent): boolean;
  listen(events: { screen(): void; refreshed(): void; ended(): void }): void;
}
