import { type OperatorError, operatorErrors } from '../../../src/screen/operator-information.js';
import { BLANK, DUPLICATE, RIGHT_HALF } from './cell-signs.js';
import type { EntryState } from './entry-state.js';
import { positionsAtHost } from './entry-text.js';
import { isAutoSkip, isNumeric } from './field-attribute.js';
import { makeRoom } from './insertion.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** Digits, minus, full stop, and what DUP enters. */
const numericCells: ReadonlySet<string> = new Set([...'0123456789-.', DUPLICATE]);

/** Types one character at the cursor. @returns why it could not be; nothing has changed then */
export function enterCharacter(state: EntryState, character: string): OperatorError | undefined {
  const width = state.widthOf(character);
  if (width === 0) return operatorErrors.minusFunction;
  return width === 1 ? enterCell(state, character) : enterWide(state, character);
}

/** Types what takes one position: a character, DUP or FM. */
export function enterCell(state: EntryState, cell: string): OperatorError | undefined {
  const refusal = refusalAt(state, cell) ?? enterCells(state, [cell]);
  if (refusal === undefined) skipAttributes(state.buffer);
  return refusal;
}

function enterWide(state: EntryState, character: string): OperatorError | undefined {
  const { buffer } = state;
  const refusal = refusalAt(state, BLANK);
  if (refusal !== undefined) return refusal;
  if (buffer.isFieldAttribute(buffer.next(buffer.leftHalf(buffer.cursor)))) return operatorErrors.doubleByte;
  const unplaced = enterCells(state, [character, RIGHT_HALF]);
  if (unplaced === undefined) skipAttributes(buffer);
  return unplaced;
}

/** Places cells at the cursor, where the host, too, has room for them and for the shift codes that it needs. */
function enterCells(state: EntryState, cells: readonly string[]): OperatorError | undefined {
  const { buffer, edited } = state;
  const start = buffer.leftHalf(buffer.cursor);
  const undo = rememberEntry(buffer, start);
  if (state.insertMode && !makeRoom(buffer, start, cells.length)) return operatorErrors.overflow;
  let at = start;
  for (const cell of cells) {
    put(buffer, at, cell);
    at = buffer.next(at);
  }
  const field = buffer.fieldOf(start);
  if (field !== undefined) {
    if (!fitsAtHost(buffer, field)) {
      undo();
      return operatorErrors.doubleByte;
    }
    buffer.setModified(field, true);
    edited.add(field);
  }
  buffer.cursor = at;
  return undefined;
}

function refusalAt({ buffer, numericLock }: EntryState, cell: string): OperatorError | undefined {
  const { cursor } = buffer;
  if (!buffer.canBeTypedAt(cursor)) return operatorErrors.protected;
  if (numericLock && isNumeric(buffer.attributeOf(cursor)) && !numericCells.has(cell)) return operatorErrors.numeric;
  return undefined;
}

/** Overwrites a position; of a double-byte character that it halves, the other half becomes blank. */
function put(buffer: PresentationBuffer, at: number, cell: string): void {
  const right = buffer.next(at);
  if (buffer.isRightHalf(at) && cell !== RIGHT_HALF) buffer.setCell(buffer.previous(at), BLANK);
  if (buffer.isRightHalf(right)) buffer.setCell(right, BLANK);
  buffer.setCell(at, cell);
}

function fitsAtHost(buffer: PresentationBuffer, field: number): boolean {
  const cells = Array.from(buffer.positionsOf(field), (position) => buffer.cells[position] as string);
  return !cells.includes(RIGHT_HALF) || positionsAtHost(cells) <= cells.length;
}

function rememberEntry(buffer: PresentationBuffer, at: number): () => void {
  const end = buffer.endOfEntry(at);
  const before: [number, string, PresentationBuffer['styles'][number]][] = [];
  let position = at;
  do {
    before.push([position, buffer.cells[position] as string, buffer.styles[position]]);
    position = buffer.next(position);
  } while (position !== end);
  return () => {
    for (const [address, cell, style] of before) {
      buffer.cells[address] = cell;
      buffer.styles[address] = style;
    }
  };
}

/** Behind what was typed the cursor passes over attributes, and over fields that it is to skip. */
function skipAttributes(buffer: PresentationBuffer): void {
  let { cursor } = buffer;
  for (let passed = 0; buffer.isFieldAttribute(cursor) && passed < buffer.positions; passed++) {
    const attribute = buffer.attributes[cursor] as number;
    cursor = isAutoSkip(attribute) ? buffer.nextUnprotected(cursor) : buffer.next(cursor);
  }
  buffer.cursor = cursor;
}
