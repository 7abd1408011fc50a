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
  /** Numeric fields take digits, minus, full stop and DUP only; true where it is not given, as the server has it. */
  readonly numericLock?: boolean;
  /** The setting `blankFill`, asked with each character. */
  readonly blankFill?: () => boolean;
  /** What the code page of the session takes; by Unicode alone where it is not given. */
  readonly widthOf?: CharacterWidth;
  /** The same as the server tells it; the fields then tell where double-byte characters may be typed. */
  readonly characters?: HostCharacters;
  /**
   * An attention key was pressed, or was typed ahead and its turn has come, or is `TRIGGER`; `submitted` was called for it.
   * Without this the page does not press attention keys here.
   */
  readonly attention?: (key: string, isTypedAhead: boolean) => void;
}

/** A terminal that is typed into locally: what the host shows, what was typed since, and the keyboard. */
export class BrowserTerminal extends ShownTerminal {
  protected readonly local: LocalTerminal;
  protected readonly keyboard: Keyboard<string>;
  readonly #attention: BrowserTerminalOptions['attention'];
  #isPlayingAhead = false;
  #unsent: string | undefined;
  readonly #pastes = new PasteUndo();
  /** Is told what is done by keys, pointing devices and pastes; undefined: nobody records. */
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

  /** @returns false where it changes another revision than ours: the whole screen is to be asked for */
  receive(message: ScreenMessage): boolean {
    const before = this.host;
    const after = receivedScreen(before, message);
    if (after === undefined) return false;
    const pending = this.pending;
    const isFreed = pending !== undefined && ((pending.carriedOut && after.lock !== 1) || after.lock === 2);
    const isOther = before === undefined || isAnotherScreen(before, after);
    // what was sent is the host's now: it shows it, or it does not
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

  /** @returns undefined where there is no such key */
  press(key: string): KeyOutcome | undefined {
    if (this.#attention === undefined && isAttentionKey(key)) return undefined;
    return this.keyboard.press(key);
  }

  /** Where a pointing device was pressed. */
  moveCursor(address: number): KeyOutcome {
    if (!Number.isInteger(address) || address < 0 || address >= this.local.buffer.positions) return 'dropped';
    return this.keyboard.moveTo(address);
  }

  /** Whether the code page has a character. */
  takes(character: string): boolean {
    return this.local.codeOf(character) !== undefined;
  }

  paste(text: string): PasteOutcome {
    if (text.length > MOST_PASTED) return { outcome: 'dropped', left: undefined };
    return this.#pastes.during(this.local, () => pasteText(this.local, this.keyboard, text));
  }

  /** Until a key goes to the host; not while somebody records, who has written the paste down. */
  get mayUndoPaste(): boolean {
    return this.#pastes.isPossible && !this.isWaiting && !this.hasNoPartner && this.recording === undefined;
  }

  /** The last paste; an operator error in which it ended is over. @returns undefined where there is none */
  undoPaste(): UndonePaste | undefined {
    if (!this.mayUndoPaste || this.local.isChecked) return undefined;
    this.local.operatorError = undefined;
    return this.#pastes.undo(this.local);
  }

  /** Whether a key may be sent now; where a field is not as it must be, the cursor goes there, and the error is shown. */
  prepareToSend(withFields = true): boolean {
    if (this.keyboard.locked) return false;
    return !withFields || this.keyboard.checkFields() === undefined;
  }

  /**
   * A key was sent: the host has the keyboard until it frees it.
   * @param awaitsAnswer the host does not free it before `carriedOut` is called: a write that crosses with the submit does not
   */
  submitted(key = 'ENTER', awaitsAnswer = false): void {
    this.local.insertMode = false;
    this.#pastes.forget();
    this.pending = { key, carriedOut: !awaitsAnswer };
  }

  /** The server has carried out what was submitted; the screens that follow are what came of it. */
  carriedOut(): void {
    if (this.pending !== undefined) this.pending.carriedOut = true;
  }

  /** The server has refused what was submitted: it stays typed. */
  refused(): void {
    this.pending = undefined;
    this.keyboard.forgetTypedAhead();
  }

  /** The server has refused what was submitted, as it was for another screen than the one that is there. */
  refusedForScreen(fields: readonly SubmittedField[]): void {
    this.#noteUnsent(fields, this.keyboard.textTypedAhead);
    this.refused();
  }

  /** The text that was typed for a screen that is gone, without what is not displayed; undefined: none, or it was taken before. */
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

  /** @returns whether it was of this very screen */
  restore(snapshot: EditSnapshot | undefined): boolean {
    const isOurs = this.host !== undefined && snapshot?.revision === this.host.revision;
    if (!isOurs || !Array.isArray(snapshot.fields)) return false;
    restoreSnapshot(snapshot, this.local.buffer, this.local.edited);
    return true;
  }

  /** Without a page that sends it, a key locks nothing. */
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
