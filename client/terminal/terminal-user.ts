import type { BrowserTerminal } from './model/browser-terminal.js';
import type { PasteOutcome } from './model/pasting.js';
import type { TerminalUser } from './user-input.js';

interface TerminalOperation {
  readonly model: BrowserTerminal;
  readonly isOccupied: () => boolean;
  readonly isPlacing: () => boolean;
  readonly isOver: () => boolean;
  send(key: string): void;
  press(key: string): void;
  pasted(outcome: PasteOutcome): void;
  /** True if input is accepted now or kept as type-ahead. */
  takesKeys(): boolean;
  endComposition(): void;
  forgetMessage(): void;
  refresh(): void;
  placeCursor(takesFocus: boolean): void;
}

export function terminalUser(operation: TerminalOperation): TerminalUser {
  const { model } = operation;
  const change = (act: () => void, takesFocus = true) => {
    operation.endComposition();
    if (!operation.isOccupied() && !operation.isOver()) act();
    operation.refresh();
    operation.placeCursor(takesFocus);
  };
  const changeAnew = (act: () => void) =>
    change(() => {
      act();
      operation.forgetMessage();
    });
  return {
    get isOccupied() {
      return operation.isOccupied();
    },
    get isPlacing() {
      return operation.isPlacing();
    },
    get isOver() {
      return operation.isOver();
    },
    get cursor() {
      return model.cursor;
    },
    send: (key) => {
      operation.endComposition();
      operation.send(key);
      operation.placeCursor(true);
    },
    press: (key) => {
      operation.endComposition();
      operation.press(key);
      operation.placeCursor(true);
    },
    type: (text) =>
      changeAnew(() => {
        if (operation.takesKeys()) model.type(text);
      }),
    paste: (text) => change(() => operation.pasted(model.paste(text))),
    fill: (start, text) =>
      change(() => {
        if (model.lock !== 0) return;
        model.moveCursor(start);
        model.press('EraseEOF');
        model.type(text);
      }, false),
    replace: (position, length, text) =>
      changeAnew(() => {
        if (model.lock !== 0) return;
        model.moveCursor(position);
        for (let deleted = 0; deleted < length; deleted++) model.press('Delete');
        const isReplacing = !model.insertMode && text !== '';
        if (isReplacing) model.press('Insert');
        model.type(text);
        if (isReplacing) model.press('Insert');
      }),
    moveTo: (position, takesFocus) => change(() => model.moveCursor(position), takesFocus),
    refresh: () => operation.refresh(),
  };
}
