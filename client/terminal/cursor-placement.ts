import type { ScreenView } from './screen-view.js';
import { TypingPlace } from './typing-place.js';

export class CursorPlacement {
  readonly #screen: HTMLElement;
  readonly #view: ScreenView;
  readonly #typingPlace = new TypingPlace();
  isPlacing = false;

  constructor(screen: HTMLElement, view: ScreenView) {
    this.#screen = screen;
    this.#view = view;
    addEventListener('resize', () => view.revealCursor(true));
  }

  place(cursor: number, takesFocus: boolean): void {
    this.#view.revealCursor();
    if (this.#view.isFormatted) this.#typingPlace.remove();
    // an input method is composing there
    if (!takesFocus || this.#view.composed !== undefined) return;
    this.isPlacing = true;
    const input = this.#view.inputAt(cursor);
    if (!this.#view.isFormatted) this.#typingPlace.showIn(this.#screen, cursor, this.#view.columns);
    if (input === undefined) {
      const target = this.#view.isFormatted ? this.#screen : this.#typingPlace.element;
      if (document.activeElement !== target) target.focus({ preventScroll: true });
    } else {
      if (document.activeElement !== input.element) input.element.focus({ preventScroll: true });
      const offset = Math.min(cursor - input.start, input.element.value.length);
      input.element.setSelectionRange(offset, offset);
    }
    this.isPlacing = false;
  }

  /** True if the focus is on the screen or on nothing. In the workspace it may be in another terminal. */
  get hasFocus(): boolean {
    if (parent !== window && !document.hasFocus()) return false;
    return document.activeElement === document.body || this.#screen.contains(document.activeElement);
  }
}
