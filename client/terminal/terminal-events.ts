import type { FilesMessage, PrintedMessage } from '../../src/terminal/protocol/server-message.js';
import type { PasteOutcome } from './model/pasting.js';

/** What the parts of the page want to hear of from the terminal. */
export interface TerminalEvents {
  /** The host has written: the model has the new screen, and the view shows it. */
  screen(): void;
  /** Anything that is shown has changed: screen, typing, cursor, lock, connection. */
  refreshed(): void;
  /** A key went to the host. */
  sent(key: string): void;
  /** Text was pasted, as far as there was room for it. */
  pasted(outcome: PasteOutcome): void;
  /** Text was typed for a screen that is gone. */
  unsent(text: string): void;
  /** The session has a printer, and document 0, or another, is there to be opened. */
  printed(message: PrintedMessage): void;
  /** The user may transfer files. */
  files(message: FilesMessage): void;
  /** The session is over. */
  ended(reason: string): void;
}

/** Whoever listens to a terminal, in the order in which they came. */
export class TerminalListeners implements TerminalEvents {
  readonly #listeners: Partial<TerminalEvents>[] = [];

  add(events: Partial<TerminalEvents>): void {
    this.#listeners.push(events);
  }

  screen(): void {
    for (const listener of this.#listeners) listener.screen?.();
  }

  refreshed(): void {
    for (const listener of this.#listeners) listener.refreshed?.();
  }

  sent(key: string): void {
    for (const listener of this.#listeners) listener.sent?.(key);
  }

  pasted(outcome: PasteOutcome): void {
    for (const listener of this.#listeners) listener.pasted?.(outcome);
  }

  unsent(text: string): void {
    for (const listener of this.#listeners) listener.unsent?.(text);
  }

  printed(message: PrintedMessage): void {
    for (const listener of this.#listeners) listener.printed?.(message);
  }

  files(message: FilesMessage): void {
    for (const listener of this.#listeners) listener.files?.(message);
  }

  ended(reason: string): void {
    for (const listener of this.#listeners) listener.ended?.(reason);
  }
}
