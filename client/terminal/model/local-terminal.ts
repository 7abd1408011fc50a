import { programCheckOf } from '../../../src/terminal/protocol/server-message.js';
import { isShortReadKey } from '../../../src/tn3270/keyboard/attention-keys.js';
import type {
  KeyboardAction,
  KeyboardTerminal,
  KeyOutcome,
  Subfields,
} from '../../../src/tn3270/keyboard/keyboard-terminal.js';
import { type OperatorError, operatorErrors } from '../../../src/tn3270/keyboard/operator-errors.js';
import { performRecorded } from './action-recording.js';
import { isAttentionKey, TRIGGER } from './attention-key.js';
import { DUPLICATE, FIELD_MARK } from './cell-signs.js';
import { CellSubfields } from './cell-subfields.js';
import { writeCells } from './cell-writing.js';
import type { CharacterWidth } from './character-width.js';
import type { PerformedAction } from './performed-action.js';
import { PresentationBuffer } from './presentation-buffer.js';

/** Digits, minus, full stop, and what DUP enters. */
const numericCells: ReadonlySet<string> = new Set([...'0123456789-.', DUPLICATE]);

/** What the page tells of itself to who types on it. */
interface LocalTerminalPort {
  isWaiting(): boolean;
  /** Nulls before typed text become blanks. */
  fillsBlanks(): boolean;
  /** Whether the server says which fields accept double-byte characters. */
  knowsDoubleByteFields(): boolean;
  /** There is nobody to type for. */
  hasNoPartner(): boolean;
  /** A key was pressed that goes to the host; the keyboard is locked from then on. */
  attention(key: string): void;
  /** Whether the host has, or may have, anything in a field. */
  isFilledByHost(field: number): boolean;
  /** Whoever records; undefined: nobody. */
  recording(): ((performed: PerformedAction) => void) | undefined;
}

/** The browser's own copy of the screen as its keyboard sees it. */
export class LocalTerminal implements KeyboardTerminal<string> {
  buffer = new PresentationBuffer(0, 0);
  insertMode = false;
  /** The name of what the operator did wrong; the server may have found it, too. */
  operatorError: string | undefined;
  /** Attributes of the fields that were typed into and not sent yet. */
  readonly edited = new Set<number>();
  readonly numericLock: boolean;
  /** As on the keyboards that browsers are used with. */
  readonly insertToggles = true;
  readonly subfields: Subfields = new CellSubfields(() => this.buffer);
  readonly duplicate = DUPLICATE;
  readonly fieldMark = FIELD_MARK;
  /** How many positions a character takes that is typed. */
  readonly typedWidth: CharacterWidth;
  readonly #port: LocalTerminalPort;

  constructor(numericLock: boolean, typedWidth: CharacterWidth, port: LocalTerminalPort) {
    this.numericLock = numericLock;
    this.typedWidth = typedWidth;
    this.#port = port;
  }

  get noPartner(): boolean {
    return this.#port.hasNoPartner();
  }

  get waitingForHost(): boolean {
    return this.#port.isWaiting();
  }

  setOperatorError(error: OperatorError | undefined): void {
    this.operatorError = error;
  }

  get isChecked(): boolean {
    return programCheckOf(this.operatorError) !== undefined;
  }

  reset(): void {
    this.operatorError = undefined;
    this.insertMode = false;
  }

  codeOf(character: string): string | undefined {
    return this.typedWidth(character) === 0 ? undefined : character;
  }

  isNumeric(cell: string): boolean {
    return numericCells.has(cell);
  }

  widthOf(cell: string): 1 | 2 {
    return this.typedWidth(cell) === 2 ? 2 : 1;
  }

  write(cell: string): OperatorError | undefined {
    const width = this.widthOf(cell);
    const isTaken = !this.#port.knowsDoubleByteFields() || this.buffer.takesWidthAtCursor(width);
    return isTaken
      ? writeCells(this.buffer, cell, width, this.insertMode, this.#port.fillsBlanks())
      : operatorErrors.doubleByte;
  }

  /** What is emptied counts as typed into where the host must be told that what it has is gone. */
  setModified(field: number, modified: boolean): void {
    this.buffer.setModified(field, modified);
    if (modified || this.#port.isFilledByHost(field)) this.edited.add(field);
    else this.edited.delete(field);
  }

  isAttentionKey(key: string): boolean {
    return isAttentionKey(key);
  }

  checksFields(key: string): boolean {
    return !isShortReadKey(key);
  }

  attention(key: string): undefined {
    this.#port.attention(key);
  }

  trigger(): void {
    this.#port.attention(TRIGGER);
  }

  perform(action: KeyboardAction, act: () => KeyOutcome): KeyOutcome {
    const record = this.#port.recording();
    return record === undefined || this.#clearsErrorOnly(action) ? act() : performRecorded(this, action, act, record);
  }

  /** What was refused is not recorded, and neither is what clears it. */
  #clearsErrorOnly(action: KeyboardAction): boolean {
    const isReset = action.did === 'pressed' && action.key === 'Reset';
    return isReset && this.operatorError !== undefined && !this.insertMode;
  }
}
