import { changedText } from './changed-text.js';
import { Composition } from './composition.js';
import type { ScreenView } from './screen-view.js';

export interface TerminalUser {
  /** A macro or other script is typing: user input is blocked. */
  readonly isOccupied: boolean;
  readonly isPlacing: boolean;
  readonly isOver: boolean;
  readonly cursor: number;
  send(key: string): void;
  press(key: string): void;
  type(text: string): void;
  paste(text: string): void;
  fill(start: number, text: string): void;
  replace(position: number, length: number, text: string): void;
  moveTo(position: number, takesFocus: boolean): void;
  /** Shows the model again in place of changes by the browser. */
  refresh(): void;
}

export class UserInput {
  readonly #view: ScreenView;
  readonly #user: TerminalUser;
  readonly #composition: Composition;
  #changing: { readonly input: EventTarget | null; readonly value: string } | undefined;

  constructor(screen: HTMLElement, view: ScreenView, user: TerminalUser) {
    this.#view = view;
    this.#user = user;
    this.#composition = new Composition(screen, view, user);
    // after a click beside the screen nothing has the focus; a paste still goes to the screen
    document.addEventListener('paste', (event) => {
      if (this.#isForNobody(event)) this.#paste(event);
    });
    screen.addEventListener('beforeinput', (event) => this.#beforeInput(event));
    screen.addEventListener('input', (event) => this.#inputChanged(event));
    screen.addEventListener('paste', (event) => this.#paste(event));
    screen.addEventListener('drop', (event) => this.#drop(event));
    screen.addEventListener('pointerup', (event) => this.#pointed(event));
    screen.addEventListener('focusin', (event) => this.#focused(event));
  }

  endComposition(): void {
    this.#composition.end();
  }

  #isForNobody({ target }: Event): boolean {
    return target === document.body && !this.#user.isOver && document.querySelector('dialog[open]') === null;
  }

  #paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain');
    if (text === undefined) return;
    event.preventDefault();
    this.#user.paste(text);
  }

  #drop(event: DragEvent): void {
    const text = event.dataTransfer?.getData('text/plain') ?? '';
    if (text === '' || event.defaultPrevented) return;
    event.preventDefault();
    const position = this.#view.positionAt(event.clientX, event.clientY);
    if (position !== undefined) this.#user.moveTo(position, true);
    this.#user.paste(text);
  }

  #beforeInput(event: InputEvent): void {
    if (this.#user.isOccupied) {
      event.preventDefault();
      return;
    }
    if (event.isComposing) return;
    const { target } = event;
    this.#changing = target instanceof HTMLInputElement ? { input: target, value: target.value } : undefined;
    if (event.inputType === 'insertText' && event.data !== null) {
      // text that replaces a selection is handled after the change
      if (target instanceof HTMLInputElement && target.selectionStart !== target.selectionEnd) return;
      event.preventDefault();
      this.#user.type(event.data);
    } else if (event.inputType === 'deleteContentBackward') {
      event.preventDefault();
      this.#user.press('Erase');
    } else if (event.inputType === 'insertLineBreak') {
      event.preventDefault();
      this.#user.send('ENTER');
    }
  }

  /** Takes changes of a whole input, such as by a password manager. */
  #inputChanged(event: Event): void {
    const { isComposing = false, inputType = '' } = event as InputEvent;
    if (isComposing || /Composition/.test(inputType) || !(event.target instanceof HTMLInputElement)) return;
    const input = event.target;
    const place = this.#view.fieldOfInput.get(input);
    if (place === undefined) {
      // an unformatted screen
      const text = input.value;
      input.value = '';
      this.#user.type(text);
      return;
    }
    const { start, field } = place;
    const changing = this.#changing;
    this.#changing = undefined;
    if (changing?.input === input && !field.isNonDisplayable && input.size < field.length) {
      // keeps the other rows of the field
      const { before, removed, inserted } = changedText(changing.value, input.value);
      this.#user.replace(start + before, removed, inserted);
      return;
    }
    // text beyond the field must not go into the next field
    this.#user.fill(start, [...input.value].slice(0, field.length - (start - field.address - 1)).join(''));
  }

  #pointed(event: PointerEvent): void {
    if (event.button !== 0 || getSelection()?.isCollapsed === false) return;
    const position = this.#view.positionAt(event.clientX, event.clientY);
    if (position !== undefined) this.#user.moveTo(position, true);
  }

  /** The focus moved without the terminal, such as by a click: move the cursor there. */
  #focused(event: FocusEvent): void {
    if (this.#user.isPlacing || !(event.target instanceof HTMLInputElement)) return;
    const place = this.#view.fieldOfInput.get(event.target);
    if (place === undefined) return;
    const { field, start } = place;
    const { cursor } = this.#user;
    if (cursor >= start && cursor < start + field.length) this.#user.refresh();
    else this.#user.moveTo(start, false);
  }
}
