import { changedText, positionsOf } from './changed-text.js';
import type { ScreenView } from './screen-view.js';

interface ComposedTyping {
  readonly cursor: number;
  type(text: string): void;
  paste(text: string): void;
  replace(position: number, length: number, text: string): void;
}

interface BegunComposition {
  readonly input: HTMLInputElement;
  readonly value: string;
  readonly caret: number;
}

/** Text of an input method (phones, CJK, accents). Any other action of the user ends the composition. */
export class Composition {
  readonly #view: ScreenView;
  readonly #typing: ComposedTyping;
  #begun: BegunComposition | undefined;

  constructor(screen: HTMLElement, view: ScreenView, typing: ComposedTyping) {
    this.#view = view;
    this.#typing = typing;
    screen.addEventListener('compositionstart', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      this.#begun = { input: target, value: target.value, caret: target.selectionStart ?? target.value.length };
      view.composed = target;
    });
    screen.addEventListener('compositionend', () => this.end());
    addEventListener('pagehide', () => this.end());
  }

  end(): void {
    const begun = this.#begun;
    if (begun === undefined) return;
    this.#begun = undefined;
    this.#view.composed = undefined;
    const { input, value, caret } = begun;
    const place = this.#view.fieldOfInput.get(input);
    if (!input.isConnected) return;
    if (place === undefined) {
      // an unformatted screen
      const text = input.value;
      input.value = '';
      this.#typing.type(text);
      return;
    }
    const tail = value.slice(caret);
    const isOnlyTyped =
      input.value.length >= value.length && input.value.startsWith(value.slice(0, caret)) && input.value.endsWith(tail);
    if (isOnlyTyped) {
      const text = input.value.slice(caret, input.value.length - tail.length);
      const room = place.field.address + 1 + place.field.length - this.#typing.cursor;
      // text beyond the field must not go into the next field
      if (positionsOf([...text]) > room) this.#typing.paste(text);
      else this.#typing.type(text);
      return;
    }
    // input methods may include existing words
    const { before, removed, inserted } = changedText(value, input.value);
    this.#typing.replace(place.start + before, removed, inserted);
  }
}
