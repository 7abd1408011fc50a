import type { BufferAddress } from '../datastream/buffer-address.js';
import { cellContents } from './cell-contents.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';

/** Over what an insertion moves characters to the right: nulls; blanks before a null or the end of the field, too; underscores, too. */
export type Filler = 'nulls' | 'blanks' | 'blanksAndUnderscores';

/**
 * Nulls before typed text become blanks, back to the start of the field, or to its first row that holds nothing but nulls. Their
 * colours and highlighting stay.
 */
export function blankLeadingNulls(buffer: KeyboardBuffer, field: BufferAddress, from: BufferAddress): void {
  const { columns } = buffer;
  for (let at = buffer.previous(from); at !== field; at = buffer.previous(at)) {
    if (at % columns === columns - 1 && lineIsNull(buffer, field, at)) return;
    if (buffer.contentAt(at) === cellContents.null) buffer.blank(at);
  }
}

function lineIsNull(buffer: KeyboardBuffer, field: BufferAddress, lineEnd: BufferAddress): boolean {
  for (let at = lineEnd; at !== field; at = buffer.previous(at)) {
    if (buffer.contentAt(at) !== cellContents.null) return false;
    if (at % buffer.columns === 0) return true;
  }
  return true;
}
