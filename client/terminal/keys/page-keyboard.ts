import type { LockCode } from '../../../src/terminal/protocol/server-message.js';
import type { Actions } from '../action-registry.js';
import { isHostKey } from '../terminal-keys.js';
import { chordsOf, modifierOf } from './chord.js';
import type { KeyMap } from './key-map.js';

interface TypedTerminal {
  readonly model: {
    /** 0: the keyboard is unlocked. */
    readonly lock: LockCode;
  };
  readonly user: {
    readonly isOver: boolean;
    type(text: string): void;
  };
  focus(): void;
}

interface KeyboardOptions {
  readonly screen: HTMLElement;
  readonly actions: Actions;
  readonly keyMap: KeyMap;
  readonly terminal: TypedTerminal;
}

/** The code of keys that go to an input method (UI Events, "keyCode of composition"). */
const INPUT_METHOD = 229;
const FIELDS = 'input, textarea, select, [contenteditable]';
const CONTROLS = 'button, a, summary';
/** Buttons that have the focus need these keys. */
const KEYS_OF_CONTROLS = /^(?:Tab|Enter| |Arrow\w+|Home|End)$/;

/** Sends all keys of the page to the terminal, wherever the focus is, unless a dialog is open. */
export class PageKeyboard {
  readonly #options: KeyboardOptions;
  #modifier: string | undefined;

  constructor(options: KeyboardOptions) {
    this.#options = options;
    document.addEventListener('keydown', (event) => this.#keyDown(event));
    document.addEventListener('keyup', (event) => this.#keyUp(event));
    // Ctrl with a click or the wheel is not Ctrl pressed by itself
    for (const name of ['pointerdown', 'wheel', 'blur', 'paste', 'copy'] as const) {
      addEventListener(name, () => this.#forgetModifier(), { capture: true, passive: true });
    }
  }

  #forgetModifier(): void {
    this.#modifier = undefined;
  }

  #keyDown(event: KeyboardEvent): void {
    const modifier = modifierOf(event);
    // several keys with Ctrl held, or two modifiers: some systems send AltGr as Ctrl and Alt
    this.#modifier = modifier !== undefined && this.#modifier === undefined && !event.repeat ? modifier : undefined;
    // an input method handles it, even if the browser names the letter
    if (event.keyCode === INPUT_METHOD) return;
    // a hot key was handled
    if (event.defaultPrevented || modifier !== undefined || !this.#isOurs(event)) return;
    const { actions, keyMap, terminal } = this.#options;
    const action = keyMap.actionOf(chordsOf(event));
    if (action !== undefined) {
      // a held key repeats only while the keyboard is unlocked, so that paging stops when it is released
      const isAhead = event.repeat && terminal.model.lock !== 0 && isHostKey(action);
      if (isAhead || actions.run(action)) event.preventDefault();
      return;
    }
    const isCharacter = [...event.key].length === 1 && !event.isComposing;
    const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
    if (!isCharacter || isCommand) return;
    event.preventDefault();
    terminal.user.type(event.key);
  }

  #keyUp(event: KeyboardEvent): void {
    const isAlone = this.#modifier !== undefined && modifierOf(event) === this.#modifier;
    this.#modifier = undefined;
    if (!isAlone || event.defaultPrevented || !this.#isOurs(event)) return;
    const { actions, keyMap } = this.#options;
    const action = keyMap.actionOf([event.code]);
    if (action !== undefined && actions.run(action)) event.preventDefault();
  }

  #isOurs(event: KeyboardEvent): boolean {
    const { screen, terminal } = this.#options;
    if (terminal.user.isOver || document.querySelector('dialog[open]') !== null) return false;
    const { target } = event;
    if (!(target instanceof Element) || screen.contains(target)) return true;
    if (target.closest(FIELDS) !== null) return false;
    if (target.closest(CONTROLS) === null) return true;
    if (event.key === 'Escape') {
      // returns from the buttons to the screen
      event.preventDefault();
      terminal.focus();
      return false;
    }
    return !KEYS_OF_CONTROLS.test(event.key) || event.ctrlKey || event.altKey || event.metaKey;
  }
}
