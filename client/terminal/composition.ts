import { changedText, positionsOf } from './changed-text.js';
import type { ScreenView } from './screen-view.js';

/** What comes of a composition. */
interface ComposedTyping {
  readonly cursor: number;
  type(text: string): void;
  paste(text: string): void;
  /** @param length of the characters from `position` on that are no more */
  replace(position: number, length: number, text: string): void;
}

interface BegunComposition {
  readonly input: HTMLInputElement;
  readonly value: string;
  readonly caret: number;
}

/**
 * Text that an input method composes in a field: of phones, of languages with more letters than keys, of accents. The browser has it
 * until it is done, or until the user does something else; then it is typed.
 */
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

  /** What has been composed is typed; without a composition nothing happens. */
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
      // what there is no room for is not for the next field
      if (positionsOf([...text]) > room) this.#typing.paste(text);
      else this.#typing.type(text);
      return;
    }
    // input methods take up words that stand there already
    const { before, removed, inserted } = changedText(value, input.value);
    this.#typing.replace(place.start + before, removed, inserted);
  }
}
