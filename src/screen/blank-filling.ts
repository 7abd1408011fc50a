import type { BufferAddress } from '../datastream/buffer-address.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import type { PresentationSpace } from './presentation-space.js';

/**
 * Nulls before what was typed become blanks, back to the start of the field, or to the first line of it that is nothing but
 * nulls. Their colours and highlighting stay.
 */
export function blankLeadingNulls(space: PresentationSpace, field: BufferAddress, from: BufferAddress): void {
  const { columns, planes } = space;
  for (let at = space.previous(from); at !== field; at = space.previous(at)) {
    if (at % columns === columns - 1 && lineIsNull(space, field, at)) return;
    if (planes.codes[at] === formatControls.null) planes.codes[at] = SPACE;
  }
}

function lineIsNull(space: PresentationSpace, field: BufferAddress, lineEnd: BufferAddress): boolean {
  for (let at = lineEnd; at !== field; at = space.previous(at)) {
    if (space.planes.codes[at] !== formatControls.null) return false;
    if (at % space.columns === 0) return true;
  }
  return true;
}
