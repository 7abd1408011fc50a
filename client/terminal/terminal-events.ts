import type { FilesMessage, PrintedMessage } from '../../src/terminal/protocol/server-message.js';
import type { PasteOutcome } from './model/pasting.js';

export interface TerminalEvents {
  /** The host has written; model and view are updated. */
  screen(): void;
  /** Anything displayed has changed: screen, input, cursor, lock, connection. */
  refreshed(): void;
  sent(key: string): void;
  pasted(outcome: PasteOutcome): void;
  /** The screen of unsent text was replaced. */
  unsent(text: string): void;
  /** The session has a printer (document 0), or a document was printed. */
  printed(message: PrintedMessage): void;
  files(message: FilesMessage): void;
  ended(reason: string): void;
}

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
