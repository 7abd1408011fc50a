import type { BufferAddress } from '../datastream/buffer-address.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';
import type { OperatorError } from './operator-errors.js';

export type KeyOutcome = 'done' | 'typedAhead' | 'dropped' | OperatorError;

export type KeyboardAction =
  | { readonly did: 'typed'; readonly character: string }
  | { readonly did: 'pressed'; readonly key: string }
  | { readonly did: 'moved' };

export interface KeyboardTerminal<Code> extends EntryTerminal<Code> {
  readonly noPartner: boolean;
  /** True while the host has the keyboard, e.g. after an attention key; keystrokes are then typed ahead. */
  readonly waitingForHost: boolean;
  /** May be a name that is not in `operatorErrors`. */
  readonly operatorError: string | undefined;
  setOperatorError(error: OperatorError | undefined): void;
  /** True after an invalid record of the host (X PROG), until Reset. */
  readonly isChecked: boolean;
  reset(): void;
  /** True if Insert also turns insert mode off; on a 3278, only Reset and attention keys do. */
  readonly insertToggles: boolean;
  isAttentionKey(key: string): boolean;
  /** True if mandatory fields must be entered and filled before the key is sent. */
  checksFields(key: string): boolean;
  attention(key: string): OperatorError | undefined;
  trigger(): void;
  perform(action: KeyboardAction, act: () => KeyOutcome): KeyOutcome;
}

export interface Subfields {
  /** True if a subfield that starts before the address has no shift-in before it. */
  reach(address: BufferAddress): boolean;
  end(address: BufferAddress): void;
  settle(address: BufferAddress): void;
}

/** @template Code stored form of a character: a code of the host's code page, or the character itself */
export interface EntryTerminal<Code> {
  readonly buffer: KeyboardBuffer;
  readonly numericLock: boolean;
  insertMode: boolean;
  /** True to insert typed characters and keep the cursor before them. If there is no room, the cursor moves on. */
  readonly reverseInput?: boolean;
  readonly subfields: Subfields | undefined;
  readonly duplicate: Code;
  readonly fieldMark: Code;
  codeOf(character: string): Code | undefined;
  isNumeric(code: Code): boolean;
  widthOf(code: Code): 1 | 2;
  /** Writes at the cursor, or next to a shift code there, and moves the cursor to the character. */
  write(code: Code): OperatorError | undefined;
  setModified(field: BufferAddress, modified: boolean): void;
}
