import type { ReceivedScreen } from '../../../src/terminal/protocol/received-screen.js';
import { isNonDisplayable, isProtected } from '../../../src/tn3270/datastream/field-attribute.js';
import { BLANK, NULL, RIGHT_HALF, SHIFT_IN, SHIFT_OUT } from './cell-signs.js';
import { PresentationBuffer } from './presentation-buffer.js';

/**
 * The protocol sends blanks for trailing nulls and for shift codes. Blanks at the end of an input field become nulls,
 * blanks next to double-byte characters become shift codes.
 */
export function loadedBuffer(host: ReceivedScreen): PresentationBuffer {
  const buffer = new PresentationBuffer(host.rows, host.columns);
  const { cells, positions } = buffer;
  for (let at = 0; at < positions; at++) cells[at] = host.nulls.has(at) ? NULL : host.cells[at] || RIGHT_HALF;
  for (const { address, attribute, validation, doubleByteEntry } of host.fields) {
    if (address >= positions) continue;
    buffer.setField(address, attribute, validation, doubleByteEntry);
    cells[address] = NULL;
  }
  for (let at = 0; at < positions; at++) if (buffer.isRightHalf(at)) markShiftCodes(buffer, at);
  if (buffer.formatted) loadFields(buffer, host);
  else
    for (let end = buffer.columns; end <= positions; end += buffer.columns) freeTrailing(buffer, end, buffer.columns);
  for (const { address, length, colour, highlighting, background } of host.runs) {
    const style = { colour, highlighting, background };
    buffer.styles.fill(style, address, Math.min(address + length, positions));
  }
  buffer.cursor = host.cursor < positions ? host.cursor : 0;
  return buffer;
}

function markShiftCodes(buffer: PresentationBuffer, right: number): void {
  const { cells } = buffer;
  const before = buffer.previous(buffer.previous(right));
  const behind = buffer.next(right);
  if (cells[before] === BLANK) cells[before] = SHIFT_OUT;
  if (cells[behind] === BLANK) cells[behind] = SHIFT_IN;
}

function loadFields(buffer: PresentationBuffer, { fields }: ReceivedScreen): void {
  for (const { address, length, attribute } of fields) {
    if (isProtected(attribute) || address >= buffer.positions) continue;
    // the server does not send the content of hidden fields
    if (isNonDisplayable(attribute)) for (const at of buffer.positionsOf(address)) buffer.cells[at] = NULL;
    else freeTrailing(buffer, (address + 1 + length) % buffer.positions, length);
  }
}

function freeTrailing(buffer: PresentationBuffer, end: number, length: number): void {
  let at = end % buffer.positions;
  for (let done = 0; done < length; done++) {
    at = buffer.previous(at);
    if (buffer.cells[at] !== BLANK) return;
    buffer.cells[at] = NULL;
  }
}
