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

const numericCells: ReadonlySet<string> = new Set([...'0123456789-.', DUPLICATE]);

interface LocalTerminalPort {
  isWaiting(): boolean;
  /** Nulls before typed text become blanks. */
  fillsBlanks(): boolean;
  knowsDoubleByteFields(): boolean;
  /** True if the session has ended or has no host. */
  hasNoPartner(): boolean;
  attention(key: string): void;
  /** True if the field has, or may have, content at the host. */
  isFilledByHost(field: number): boolean;
  recording(): ((performed: PerformedAction) => void) | undefined;
}

export class LocalTerminal implements KeyboardTerminal<string> {
  buffer = new PresentationBuffer(0, 0);
  insertMode = false;
  /** Name of the current operator error, found here or by the server. */
  operatorError: string | undefined;
  /** Attribute addresses of fields with unsent input. */
  readonly edited = new Set<number>();
  readonly numericLock: boolean;
  /** As on PC keyboards. */
  readonly insertToggles = true;
  readonly subfields: Subfields = new CellSubfields(() => this.buffer);
  readonly duplicate = DUPLICATE;
  readonly fieldMark = FIELD_MARK;
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

  /** An emptied field counts as edited if the host must learn that its content is gone. */
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

  /** Rejected actions, and those that clear the error, are not recorded. */
  #clearsErrorOnly(action: KeyboardAction): boolean {
    const isReset = action.did === 'pressed' && action.key === 'Reset';
    return isReset && this.operatorError !== undefined && !this.insertMode;
  }
}
