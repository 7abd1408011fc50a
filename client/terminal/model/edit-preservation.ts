import type { ReceivedField, ReceivedScreen } from '../../../src/terminal/protocol/received-screen.js';
import { isModified, isNonDisplayable, isProtected } from '../../../src/tn3270/datastream/field-attribute.js';
import { loadedBuffer } from './buffer-loading.js';
import type { PresentationBuffer } from './presentation-buffer.js';

interface Edits {
  readonly buffer: PresentationBuffer;
  readonly edited: ReadonlySet<number>;
}

/** True if the host has replaced the screen: it was erased, or the size or most of the fields differ. */
export function isAnotherScreen(before: ReceivedScreen, after: ReceivedScreen): boolean {
  if (before.rows !== after.rows || before.columns !== after.columns || after.erased > before.revision) return true;
  if (before.fields === after.fields) return false;
  if ((before.fields.length === 0) !== (after.fields.length === 0)) return true;
  const earlier = fieldsByAddress(before);
  const stayed = after.fields.filter((field) => isSameField(earlier.get(field.address), field));
  return stayed.length * 2 < after.fields.length;
}

/**
 * Copies unsent input to the updated screen, except for fields that the host has changed.
 * @returns the fields that still have unsent input
 */
export function keepEdits(
  { buffer, edited }: Edits,
  before: ReceivedScreen,
  after: ReceivedScreen,
  target: PresentationBuffer,
): Set<number> {
  const kept = new Set<number>();
  if (!buffer.formatted) {
    keepPositions(buffer, before, after, target);
    return kept;
  }
  const earlier = fieldsByAddress(before);
  const later = fieldsByAddress(after);
  for (const address of edited) {
    const field = later.get(address);
    if (field === undefined || !isSameField(earlier.get(address), field)) continue;
    const positions = [...buffer.positionsOf(address)];
    if (isProtected(field.attribute) || positions.some((at) => before.cells[at] !== after.cells[at])) continue;
    for (const at of positions) copyTyped(buffer, target, at);
    target.setModified(address, isModified(buffer.fieldAttributes[address] as number));
    kept.add(address);
  }
  return kept;
}

/** For unformatted screens, position by position. Double-byte characters are kept as a whole. */
function keepPositions(
  buffer: PresentationBuffer,
  before: ReceivedScreen,
  after: ReceivedScreen,
  target: PresentationBuffer,
): void {
  const { cells } = loadedBuffer(before);
  const isTouched = (at: number) => before.cells[at] !== after.cells[at];
  for (let at = 0; at < buffer.positions; at++) {
    if (buffer.cells[at] === cells[at] || isTouched(at)) continue;
    if (buffer.isRightHalf(at) && isTouched(buffer.previous(at))) continue;
    if (buffer.isLeftHalf(at) && isTouched(buffer.next(at))) continue;
    copyTyped(buffer, target, at);
  }
}

function copyTyped(from: PresentationBuffer, to: PresentationBuffer, at: number): void {
  to.cells[at] = from.cells[at] as string;
  to.styles[at] = from.styles[at];
}

function fieldsByAddress({ fields }: ReceivedScreen): Map<number, ReceivedField> {
  return new Map(fields.map((field) => [field.address, field]));
}

/** Same place and kind: hidden input must never become visible. */
function isSameField(one: ReceivedField | undefined, other: ReceivedField): boolean {
  return (
    one !== undefined &&
    one.length === other.length &&
    isProtected(one.attribute) === isProtected(other.attribute) &&
    isNonDisplayable(one.attribute) === isNonDisplayable(other.attribute)
  );
}
