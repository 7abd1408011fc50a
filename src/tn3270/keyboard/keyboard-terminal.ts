import type { BufferAddress } from '../datastream/buffer-address.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';
import type { OperatorError } from './operator-errors.js';

export type KeyOutcome = 'done' | 'typedAhead' | 'dropped' | OperatorError;

/** Something that is done on the screen. */
export type KeyboardAction =
  | { readonly did: 'typed'; readonly character: string }
  | { readonly did: 'pressed'; readonly key: string }
  | { readonly did: 'moved' };

/** What a keyboard needs of the terminal that it belongs to. */
export interface KeyboardTerminal<Code> extends EntryTerminal<Code> {
  /** There is no partner to type to. */
  readonly noPartner: boolean;
  /** A key went to the host, and the host has not restored the keyboard. */
  readonly waitingForHost: boolean;
  /** The name of an operator error; it may be none of `operatorErrors`. */
  readonly operatorError: string | undefined;
  setOperatorError(error: OperatorError | undefined): void;
  /** The host sent a record that cannot be carried out (X PROG): Reset alone goes on. */
  readonly isChecked: boolean;
  /** Whatever keeps the operator from typing is seen to, and insert mode is over. */
  reset(): void;
  /** Whether Insert turns its mode off again; on a 3278 only Reset and keys that go to the host do. */
  readonly insertToggles: boolean;
  isAttentionKey(key: string): boolean;
  /** Whether fields that must be entered or filled are to be so before the key is sent. */
  checksFields(key: string): boolean;
  /**
   * Sends an attention key, and locks the keyboard for it.
   * @returns why it could not be sent
   */
  attention(key: string): OperatorError | undefined;
  /** Tells the host that a trigger field was left, and locks the keyboard for it. */
  trigger(): void;
  /** Carries out what is done, now that its turn has come. */
  perform(action: KeyboardAction, act: () => KeyOutcome): KeyOutcome;
}

/** Double-byte characters between shift-out and shift-in. */
export interface Subfields {
  /** Whether a subfield that begins before an address is not ended there yet. */
  reach(address: BufferAddress): boolean;
  /** Writes the shift-in that ends one. */
  end(address: BufferAddress): void;
  /** What is in the field of an address was changed. */
  settle(address: BufferAddress): void;
}

/**
 * What is typed into, and how characters are written there.
 * @template Code what the terminal keeps of a character: a code of the host's code page, or the character itself
 */
export interface EntryTerminal<Code> {
  readonly buffer: KeyboardBuffer;
  /** Numeric fields take digits, minus, full stop and DUP only. */
  readonly numericLock: boolean;
  insertMode: boolean;
  /** What is typed is inserted, and the cursor stays before it; where there is no room the cursor passes on. */
  readonly reverseInput?: boolean;
  /** Undefined for a terminal without double-byte characters. */
  readonly subfields: Subfields | undefined;
  readonly duplicate: Code;
  readonly fieldMark: Code;
  /** Undefined if the character cannot be typed. */
  codeOf(character: string): Code | undefined;
  /** Whether a numeric field takes it. */
  isNumeric(code: Code): boolean;
  /** How many positions it takes. */
  widthOf(code: Code): 1 | 2;
  /**
   * Writes a character at the cursor or, where a shift code stands there, near it; the cursor comes to stand on it.
   * @returns why it could not be; nothing has changed then
   */
  write(code: Code): OperatorError | undefined;
  /** A field was typed into, or emptied so that it counts as not typed into. */
  setModified(field: BufferAddress, modified: boolean): void;
}
