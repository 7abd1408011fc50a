import type { BufferAddress } from '../datastream/buffer-address.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';
import type { OperatorError } from './operator-errors.js';

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
