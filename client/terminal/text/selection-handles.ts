import type { ScreenOverlay } from './screen-overlay.js';
import type { TextSelection } from './text-selection.js';

/** Class of a handle that moves a corner; `data-corner` names the corner. */
export const HANDLE = 'selection-handle';

export class SelectionHandles {
  readonly #overlay: ScreenOverlay;
  readonly #selection: TextSelection;
  readonly #handles = ['first', 'last'].map((corner) => {
    const handle = document.createElement('div');
    handle.className = HANDLE;
    handle.dataset.corner = corner;
    return handle;
  });
  #isShown = false;

  constructor(overlay: ScreenOverlay, selection: TextSelection) {
    this.#overlay = overlay;
    this.#selection = selection;
  }

  show(): void {
    this.#isShown = true;
    this.follow();
  }

  follow(): void {
    const { area } = this.#selection;
    if (area === undefined) this.#isShown = false;
    this.#handles.forEach((handle, at) => {
      if (area === undefined || !this.#isShown) handle.remove();
      else this.#overlay.place(handle, area, at === 1);
    });
  }
}
