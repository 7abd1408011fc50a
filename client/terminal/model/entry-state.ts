import type { CharacterWidth } from './character-width.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** What typing works on, shared by all keys. */
export interface EntryState {
  buffer: PresentationBuffer;
  insertMode: boolean;
  /** Attributes of the fields that were typed into and not sent yet. */
  readonly edited: Set<number>;
  /** Numeric fields take digits, minus, full stop and DUP only. */
  readonly numericLock: boolean;
  readonly widthOf: CharacterWidth;
  /** Whether the host has, or may have, anything in a field. */
  readonly isFilledByHost: (field: number) => boolean;
}
