import type { Action } from './action-registry.js';
import { showAppearance } from './appearance.js';
import { noticeLostConnections } from './connection-notice.js';
import { DeviceKeyboard } from './device-keyboard.js';
import { HostKeys } from './host-keys.js';
import { noticeProgramChecks } from './program-check-notice.js';
import { ScreenSize } from './screen-size.js';
import type { Settings } from './settings/settings.js';
import type { Terminal } from './terminal.js';
import { words } from './words/words.js';

/** Time after which browsers have scrolled to the caret. */
const SCROLLED_MILLISECONDS = 300;

export class Display {
  readonly #terminal: Terminal;
  readonly #settings: Settings;
  readonly #size: ScreenSize;
  readonly #keyRow: HTMLElement;

  constructor(terminal: Terminal, settings: Settings, keyRow: HTMLElement, padButton: HTMLElement | undefined) {
    this.#terminal = terminal;
    this.#settings = settings;
    this.#keyRow = keyRow;
    this.#size = new ScreenSize(terminal.element, settings);
    settings.listen(() => this.#show());
    this.#show();
    noticeProgramChecks(terminal);
    noticeLostConnections(terminal);
    new HostKeys(terminal, keyRow, [this.#enlarging(), ...(padButton === undefined ? [] : [padButton])]);
    // keep the cursor, and as much as possible before it, visible after a resize
    new ResizeObserver(() => terminal.view.revealCursor(true)).observe(terminal.element);
    const { classList } = document.body;
    new DeviceKeyboard((isUp) => {
      classList.toggle('typing', isUp);
      // some browsers scroll to the caret only when their keyboard has opened
      setTimeout(() => terminal.view.revealCursor(true), SCROLLED_MILLISECONDS);
      terminal.view.revealCursor(true);
    });
  }

  get actions(): readonly Action[] {
    return this.#size.actions;
  }

  #show(): void {
    const settings = this.#settings;
    showAppearance(
      {
        theme: settings.get('theme'),
        ownColours: settings.get('ownColours'),
        cursorShape: settings.get('cursorShape'),
        cursorBlink: settings.get('cursorBlink'),
        crossHair: settings.get('crossHair'),
      },
      this.#terminal.element,
    );
    this.#size.show();
    this.#keyRow.hidden = !settings.get('phoneKeys');
    this.#terminal.view.revealCursor(true);
  }

  /** On phones: switches between the whole screen in small letters and an enlarged part. */
  #enlarging(): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'enlarge';
    button.textContent = words('hostKeys.enlarge');
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => {
      const isLarge = document.body.classList.toggle('enlarged');
      button.setAttribute('aria-pressed', String(isLarge));
      this.#terminal.view.revealCursor(true);
    });
    return button;
  }
}
