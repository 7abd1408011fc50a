import type { ScreenOverlay } from './screen-overlay.js';
import type { TextSelection } from './text-selection.js';

/** What is touched to move a corner; `data-corner` says which. */
export const HANDLE = 'selection-handle';

/** At both ends of what a finger has selected: dragged, they make it larger and smaller. */
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

  /** The selection is another one. */
  follow(): void {
    const { area } = this.#selection;
    if (area === undefined) this.#isShown = false;
    this.#handles.forEach((handle, at) => {
      if (area === undefined || !this.#isShown) handle.remove();
      else this.#overlay.place(handle, area, at === 1);
    });
  }
}
