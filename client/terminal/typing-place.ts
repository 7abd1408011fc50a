import { words } from './words/words.js';

/** An invisible input for unformatted screens: on-screen keyboards and input methods need one. */
export class TypingPlace {
  readonly element = document.createElement('input');

  constructor() {
    const { element } = this;
    element.className = 'typing-place';
    element.autocomplete = 'off';
    element.setAttribute('autocapitalize', 'off');
    element.setAttribute('autocorrect', 'off');
    element.spellcheck = false;
  }

  showIn(screen: HTMLElement, cursor: number, columns: number): void {
    const { element } = this;
    const row = Math.floor(cursor / columns);
    const column = cursor % columns;
    element.style.setProperty('--row', String(row));
    element.style.setProperty('--column', String(column));
    element.setAttribute('aria-label', words('field.place', { row: row + 1, column: column + 1 }));
    if (element.parentElement !== screen) screen.append(element);
  }

  remove(): void {
    this.element.remove();
  }
}
