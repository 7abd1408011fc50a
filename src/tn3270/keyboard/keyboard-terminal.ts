import type { BufferAddress } from '../datastream/buffer-address.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';
import type { OperatorError } from './operator-errors.js';

export type KeyOutcome = 'done' | 'typedAhead' | 'dropped' | OperatorError;

export type KeyboardAction =
  | { readonly did: 'typed'; readonly character: string }
  | { readonly did: 'pressed'; readonly key: string }
  | { readonly did: 'moved' };

export interface KeyboardTerminal<Code> extends EntryTerminal<Code> {
  /** True if not connected. */
  readonly noPartner: boolean;
  /** True while the host has the keyboard, e.g. after an attention key; keystrokes are then typed ahead. */
  readonly waitingForHost: boolean;
  /** May be a name that is not in `operatorErrors`. */
  readonly operatorError: string | undefined;
  setOperatorError(error: OperatorError | undefined): void;
  /** True after an invalid record of the host (X PROG), until Reset. */
  readonly isChecked: boolean;
  /** Unlocks the keyboard as far as possible and turns insert mode off. */
  reset(): void;
  /** True if Insert also turns insert mode off; on a 3278, only Reset and attention keys do. */
  readonly insertToggles: boolean;
  isAttentionKey(key: string): boolean;
  /** True if mandatory fields must be entered and filled before the key is sent. */
  checksFields(key: string): boolean;
  /**
   * Sends an attention key and locks the keyboard.
   * @returns the error if the key cannot be sent
   */
  attention(key: string): OperatorError | undefined;
  /** Notifies the host that the cursor left a trigger field, and locks the keyboard. */
  trigger(): void;
  perform(action: KeyboardAction, act: () => KeyOutcome): KeyOutcome;
}

/** Double-byte characters between shift-out and shift-in. */
export interface Subfields {
  /** True if a subfield that starts before the address has no shift-in before it. */
  reach(address: BufferAddress): boolean;
  /** Writes the shift-in at the end of a subfield. */
  end(address: BufferAddress): void;
  /** Updates the subfields of a field after a change. */
  settle(address: BufferAddress): void;
}

/**
 * Target of typed characters.
 * @template Code stored form of a character: a code of the host's code page, or the character itself
 */
export interface EntryTerminal<Code> {
  readonly buffer: KeyboardBuffer;
  /** True if numeric fields accept only digits, minus, full stop and DUP. */
  readonly numericLock: boolean;
  insertMode: boolean;
  /** True to insert typed characters and keep the cursor before them. If there is no room, the cursor moves on. */
  readonly reverseInput?: boolean;
  /** Undefined if the terminal has no double-byte characters. */
  readonly subfields: Subfields | undefined;
  readonly duplicate: Code;
  readonly fieldMark: Code;
  /** Undefined if the character cannot be typed. */
  codeOf(character: string): Code | undefined;
  /** True if a numeric field accepts the character. */
  isNumeric(code: Code): boolean;
  /** In positions. */
  widthOf(code: Code): 1 | 2;
  /**
   * Writes a character at the cursor, or next to it if the position has a shift code, and moves the cursor onto the
   * character.
   * @returns the error of a rejected character, which changes nothing
   */
  write(code: Code): OperatorError | undefined;
  setModified(field: BufferAddress, modified: boolean): void;
}
