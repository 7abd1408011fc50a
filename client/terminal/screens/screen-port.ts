import type { KeptScreen, PicturedScreen } from '../model/screen-history.js';
import type { ScreenOverlay } from '../text/screen-overlay.js';

export interface ScreenTools {
  readonly overlay: ScreenOverlay;
  readonly element: HTMLElement;
  /** Screens of the session, the current one last. */
  screens(): readonly KeptScreen[];
  current(): PicturedScreen;
  say(text: string): void;
  announce(text: string): void;
  focus(): void;
  /** Presses a terminal key that the page does not use, such as F3. @returns false if it is not mapped */
  pressKey(event: KeyboardEvent): boolean;
  listen(events: { screen(): void; refreshed(): void; ended(): void }): void;
}
