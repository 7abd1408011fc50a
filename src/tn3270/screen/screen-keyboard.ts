import type { BufferAddress } from '../datastream/buffer-address.js';
import { attentionKeys } from '../keyboard/attention-keys.js';
import { Keyboard, localKeys } from '../keyboard/keyboard.js';
import type { KeyOutcome } from '../keyboard/keyboard-terminal.js';
import type { EntryRules } from './entry-rules.js';
import type { ScreenPartner } from './screen-partner.js';
import type { ScreenState } from './screen-state.js';
import { ScreenTerminal } from './screen-terminal.js';

/** Keys that mean something to a line terminal alone. */
const keysOfLines: ReadonlySet<string> = new Set(['DeleteWord', 'End']);

/** What the keyboard asks of the session. */
interface KeyboardPort {
  /** An attention key was pressed and the keyboard is locked for it. */
  attention(aid: number): void;
  /** A character for a line terminal. */
  lineText(text: string): void;
  /** Where the cursor of a line terminal goes. */
  lineCursor(address: BufferAddress): void;
  /** The screen of a line terminal is about to be another one. */
  lineChanged(): void;
  /** A key for a line terminal. @returns whether it means something there */
  lineKey(key: string): boolean;
}

/** The keyboard of a screen. A line terminal's host gets the keys themselves. Attn and SysReq are the session's. */
export class ScreenKeyboard {
  readonly #port: KeyboardPort;
  readonly #terminal: ScreenTerminal;
  readonly #keyboard: Keyboard<number>;

  constructor(state: ScreenState, rules: EntryRules, port: KeyboardPort) {
    this.#port = port;
    this.#terminal = new ScreenTerminal(state, rules, (aid) => port.attention(aid));
    this.#keyboard = new Keyboard(this.#terminal);
  }

  get partner(): ScreenPartner {
    return this.#terminal.partner;
  }

  set partner(partner: ScreenPartner) {
    this.#terminal.partner = partner;
  }

  /**
   * Presses a key of `localKeys`, or one that is sent.
   * @returns undefined if there is no such key
   */
  press(key: string): KeyOutcome | undefined {
    const isKey = localKeys.has(key) || attentionKeys.has(key) || keysOfLines.has(key);
    const isForHost = this.partner === 'line' && key !== 'Reset' && isKey;
    if (isForHost) {
      this.#port.lineChanged();
      return this.#port.lineKey(key) ? 'done' : 'dropped';
    }
    return this.#keyboard.press(key);
  }

  /** Types text at the cursor, up to the first character that cannot be typed. */
  type(text: string): KeyOutcome {
    if (this.partner !== 'line') return this.#keyboard.type(text);
    this.#port.lineChanged();
    this.#port.lineText(text);
    return 'done';
  }

  /** Moves the cursor as by a pointing device. A line terminal's host says where its cursor is; scripts put it elsewhere all the same. */
  moveTo(address: BufferAddress, isKept = false): KeyOutcome {
    if (this.partner !== 'line') return this.#keyboard.moveTo(address, isKept);
    if (!isKept) return 'dropped';
    this.#port.lineChanged();
    this.#port.lineCursor(address);
    return 'done';
  }

  get typedAhead(): number {
    return this.#keyboard.typedAhead;
  }

  /** The host restored the keyboard: what was typed ahead is done now, until a key locks it again. */
  playTypedAhead(): void {
    this.#keyboard.playTypedAhead();
  }

  forgetTypedAhead(): void {
    this.#keyboard.forgetTypedAhead();
  }
}
