import { isModified, isNonDisplayable } from '../../../src/tn3270/datastream/field-attribute.js';
import type { PresentationBuffer } from './presentation-buffer.js';
import { changedPieces } from './submission-form.js';

/** Unsent input in a form that may be stored: without hidden fields. */
export interface EditSnapshot {
  readonly revision: number;
  readonly cursor: number;
  /** By attribute address; on an unformatted screen, the pieces that differ from the host's. */
  readonly fields: ReadonlyArray<{
    readonly address: number;
    readonly modified: boolean;
    readonly cells: readonly string[];
  }>;
}

export function takeSnapshot(
  revision: number,
  buffer: PresentationBuffer,
  edited: Iterable<number>,
  host: PresentationBuffer,
): EditSnapshot {
  if (!buffer.formatted) {
    const pieces = changedPieces(buffer, host);
    return { revision, cursor: buffer.cursor, fields: pieces.map((piece) => ({ ...piece, modified: false })) };
  }
  const fields = [...edited]
    .filter((field) => !isNonDisplayable(buffer.fieldAttributes[field] as number))
    .map((address) => ({
      address,
      modified: isModified(buffer.fieldAttributes[address] as number),
      cells: Array.from(buffer.positionsOf(address), (at) => buffer.cells[at] as string),
    }));
  return { revision, cursor: keptCursor(buffer), fields };
}

/** In a hidden field the cursor position would reveal the length of the input. */
function keptCursor(buffer: PresentationBuffer): number {
  const { cursor } = buffer;
  const field = buffer.fieldOf(cursor);
  if (field === undefined || field === cursor || !isNonDisplayable(buffer.fieldAttributes[field] as number))
    return cursor;
  return buffer.next(field);
}

/**
 * Restores input where it still fits.
 * @param snapshot unchecked data from storage
 */
export function restoreSnapshot(snapshot: EditSnapshot, buffer: PresentationBuffer, edited: Set<number>): void {
  const { positions } = buffer;
  for (const { address, modified, cells } of snapshot.fields.filter(Boolean)) {
    const isText = Array.isArray(cells) && cells.every((cell) => typeof cell === 'string' && [...cell].length === 1);
    if (!isText || !Number.isInteger(address) || address < 0 || address >= positions) continue;
    if (!buffer.formatted) {
      if (address + cells.length <= positions) {
        for (const [offset, cell] of cells.entries()) buffer.setCell(address + offset, cell);
      }
      continue;
    }
    const first = buffer.next(address);
    if (!buffer.isFieldAttribute(address) || !buffer.canBeTypedAt(first)) continue;
    const places = [...buffer.positionsOf(address)];
    if (isNonDisplayable(buffer.fieldAttributes[address] as number) || places.length !== cells.length) continue;
    for (const [offset, at] of places.entries()) buffer.setCell(at, cells[offset] as string);
    if (modified === true) buffer.setModified(address, true);
    edited.add(address);
  }
  const { cursor } = snapshot;
  if (Number.isInteger(cursor) && cursor >= 0 && cursor < positions) buffer.cursor = cursor;
}
