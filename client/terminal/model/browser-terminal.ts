import { receivedScreen } from '../../../src/terminal/protocol/received-screen.js';
import { type LockCode, programCheckOf, type ScreenMessage } from '../../../src/terminal/protocol/server-message.js';
import { isShortReadKey } from '../../../src/tn3270/keyboard/attention-keys.js';
import { Keyboard } from '../../../src/tn3270/keyboard/keyboard.js';
import type { KeyOutcome } from '../../../src/tn3270/keyboard/keyboard-terminal.js';
import { clearsScreen, isAttentionKey } from './attention-key.js';
import { loadedBuffer } from './buffer-loading.js';
import { BLANK, NULL } from './cell-signs.js';
import { type CharacterWidth, unicodeWidth } from './character-width.js';
import { isAnotherScreen, keepEdits } from './edit-preservation.js';
import { type EditSnapshot, restoreSnapshot } from './edit-snapshot.js';
import type { HostCharacters } from './host-characters.js';
import { LocalTerminal } from './local-terminal.js';
import { PasteUndo, type UndonePaste } from './paste-undo.js';
import { MOST_PASTED, type PasteOutcome, pasteText } from './pasting.js';
import type { PerformedAction } from './performed-action.js';
import { ShownTerminal } from './shown-terminal.js';
import type { SubmittedField } from './submission-form.js';

export interface BrowserTerminalOptions {
  /** Numeric fields accept only digits, minus, full stop and DUP. Default: true, as on the server. */
  readonly numericLock?: boolean;
  /** The setting `blankFill`, read for each character. */
  readonly blankFill?: () => boolean;
  /** Width of characters in the session's code page; default: by Unicode properties. */
  readonly widthOf?: CharacterWidth;
  /** The same, from the server; then fields also tell where double-byte characters are allowed. */
  readonly characters?: HostCharacters;
  /** Called after `submitted`, also for `TRIGGER`. Without it the model does not press attention keys. */
  readonly attention?: (key: string, isTypedAhead: boolean) => void;
}

export class BrowserTerminal extends ShownTerminal {
  protected readonly local: LocalTerminal;
  protected readonly keyboard: Keyboard<string>;
  readonly #attention: BrowserTerminalOptions['attention'];
  #isPlayingAhead = false;
  #unsent: string | undefined;
  readonly #pastes = new PasteUndo();
  recording: ((performed: PerformedAction) => void) | undefined;

  constructor({
    numericLock = true,
    blankFill = () => false,
    widthOf,
    characters,
    attention,
  }: BrowserTerminalOptions = {}) {
    super();
    this.#attention = attention;
    this.local = new LocalTerminal(numericLock, widthOf ?? characters?.widthOf ?? unicodeWidth, {
      knowsDoubleByteFields: () => characters?.areKnown === true,
      isWaiting: () => this.isWaiting,
      fillsBlanks: blankFill,
      hasNoPartner: () => this.hasNoPartner,
      attention: (key) => this.#pressedAttention(key),
      isFilledByHost: (field) => this.isFilledByHost(field),
      recording: () => this.recording,
    });
    this.keyboard = new Keyboard(this.local);
  }

  /** @returns false if the message changes another revision than the current one: request the whole screen */
  receive(message: ScreenMessage): boolean {
    const before = this.host;
    const after = receivedScreen(before, message);
    if (after === undefined) return false;
    const pending = this.pending;
    const isFreed = pending !== undefined && ((pending.carriedOut && after.lock !== 1) || after.lock === 2);
    const isOther = before === undefined || isAnotherScreen(before, after);
    // after sending, the host decides what the fields show
    const wereSent = isFreed && (!isShortReadKey(pending.key) || clearsScreen(pending.key));
    const local = this.local;
    const buffer = loadedBuffer(after);
    if (isOther || wereSent) this.#pastes.forget();
    if (isOther && !isFreed && before !== undefined) this.#noteUnsent(this.formFor().fields);
    const kept = isOther || wereSent ? [] : keepEdits(local, before, after, buffer);
    if (!isOther && !isFreed && before.cursor === after.cursor) buffer.cursor = local.buffer.cursor;
    local.buffer = buffer;
    local.edited.clear();
    for (const field of kept) local.edited.add(field);
    this.host = after;
    if (isFreed) this.pending = undefined;
    this.#takeLock(before?.lock, after.lock, isFreed);
    this.#isPlayingAhead = true;
    if (!this.keyboard.locked) this.keyboard.playTypedAhead();
    this.#isPlayingAhead = false;
    return true;
  }

  type(text: string): KeyOutcome {
    return this.keyboard.type(text);
  }

  press(key: string): KeyOutcome | undefined {
    if (this.#attention === undefined && isAttentionKey(key)) return undefined;
    return this.keyboard.press(key);
  }

  moveCursor(address: number): KeyOutcome {
    if (!Number.isInteger(address) || address < 0 || address >= this.local.buffer.positions) return 'dropped';
    return this.keyboard.moveTo(address);
  }

  takes(character: string): boolean {
    return this.local.codeOf(character) !== undefined;
  }

  paste(text: string): PasteOutcome {
    if (text.length > MOST_PASTED) return { outcome: 'dropped', left: undefined };
    return this.#pastes.during(this.local, () => pasteText(this.local, this.keyboard, text));
  }

  /** Possible until the next attention key. Not during a recording, which already contains the paste. */
  get mayUndoPaste(): boolean {
    return this.#pastes.isPossible && !this.isWaiting && !this.hasNoPartner && this.recording === undefined;
  }

  /** Undoes the last paste and the operator error that ended it. @returns undefined if there is none */
  undoPaste(): UndonePaste | undefined {
    if (!this.mayUndoPaste || this.local.isChecked) return undefined;
    this.local.operatorError = undefined;
    return this.#pastes.undo(this.local);
  }

  /** True if a key may be sent now. If a field is invalid, moves the cursor there and shows the error. */
  prepareToSend(withFields = true): boolean {
    if (this.keyboard.locked) return false;
    return !withFields || this.keyboard.checkFields() === undefined;
  }

  /**
   * Locks the keyboard after an attention key was sent.
   * @param awaitsAnswer true if only `carriedOut` may unlock it: a host write may cross the submit
   */
  submitted(key = 'ENTER', awaitsAnswer = false): void {
    this.local.insertMode = false;
    this.#pastes.forget();
    this.pending = { key, carriedOut: !awaitsAnswer };
  }

  carriedOut(): void {
    if (this.pending !== undefined) this.pending.carriedOut = true;
  }

  refused(): void {
    this.pending = undefined;
    this.keyboard.forgetTypedAhead();
  }

  /** The server has rejected the submit because it was made for another screen. */
  refusedForScreen(fields: readonly SubmittedField[]): void {
    this.#noteUnsent(fields, this.keyboard.textTypedAhead);
    this.refused();
  }

  /** Text typed for a screen that was replaced, without hidden fields; returned only once. */
  takeUnsent(): string | undefined {
    const unsent = this.#unsent;
    this.#unsent = undefined;
    return unsent;
  }

  #noteUnsent(fields: readonly SubmittedField[], typedAhead = ''): void {
    const texts = fields
      .filter(({ nonDisplayable }) => !nonDisplayable)
      .map(({ text }) => text.replaceAll(NULL, BLANK));
    const text = [...texts, typedAhead].filter((part) => part.trim() !== '').join('\t');
    if (text !== '') this.#unsent = text;
  }

  /** @returns true if the snapshot was made of this screen */
  restore(snapshot: EditSnapshot | undefined): boolean {
    const isOurs = this.host !== undefined && snapshot?.revision === this.host.revision;
    if (!isOurs || !Array.isArray(snapshot.fields)) return false;
    restoreSnapshot(snapshot, this.local.buffer, this.local.edited);
    return true;
  }

  /** Without a page that sends the key, the keyboard stays unlocked. */
  #pressedAttention(key: string): void {
    if (this.#attention === undefined) return;
    this.submitted(key);
    this.#attention(key, this.#isPlayingAhead);
  }

  #takeLock(before: LockCode | undefined, after: LockCode, isFreed: boolean): void {
    const { local } = this;
    if (after === 2 || programCheckOf(after) !== undefined) this.keyboard.forgetTypedAhead();
    if (after === 2 || isFreed || (after === 0 && before !== 0)) {
      local.operatorError = undefined;
      local.insertMode = false;
    }
    if (typeof after === 'string' && (after !== before || isFreed)) local.operatorError = after;
  }
}
