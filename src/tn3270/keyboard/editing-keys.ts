import type { BufferAddress } from '../datastream/buffer-address.js';
import { isAutoSkip, isNumeric, isProtected } from '../datastream/field-attribute.js';
import { cellContents, type KeyboardBuffer } from './keyboard-buffer.js';
import type { EntryTerminal } from './keyboard-terminal.js';
import { type OperatorError, operatorErrors } from './operator-errors.js';

/** @returns the error of a rejected key, which changes nothing */
type EditingKey = <Code>(terminal: EntryTerminal<Code>) => OperatorError | undefined;

const keys = {
  Delete: deleteCharacter,
  EraseEOF: eraseToEndOfField,
  EraseInput: eraseInput,
  Erase: eraseToTheLeft,
  DeleteField: deleteField,
  Dup: enterDuplicate,
  FieldMark: (terminal) => enterCode(terminal, terminal.fieldMark),
} as const satisfies Record<string, EditingKey>;

export const editingKeys: ReadonlyMap<string, EditingKey> = new Map(Object.entries(keys));

function deleteCharacter<Code>(terminal: EntryTerminal<Code>): OperatorError | undefined {
  const { buffer } = terminal;
  if (!buffer.canBeTypedAt(buffer.cursor)) return operatorErrors.protected;
  const at = buffer.leftHalf(buffer.cursor);
  const count = deletedPositions(terminal, at);
  if (count === 0) return operatorErrors.doubleByte;
  if (!buffer.formatted && at % buffer.columns === buffer.columns - count) return undefined;
  closeGap(buffer, at, count);
  markTyped(terminal, at);
  terminal.subfields?.settle(at);
  return undefined;
}

/** Number of positions to delete, 0 if none. Shift codes can be deleted only together, if nothing is between them. */
function deletedPositions<Code>({ buffer, subfields }: EntryTerminal<Code>, at: BufferAddress): 0 | 1 | 2 {
  if (subfields === undefined) return 1;
  const content = buffer.contentAt(at);
  if (content === cellContents.shiftIn) return 0;
  if (content === cellContents.shiftOut) {
    return buffer.contentAt(buffer.next(at)) === cellContents.shiftIn ? 2 : 0;
  }
  return buffer.isLeftHalf(at) ? 2 : 1;
}

function closeGap(buffer: KeyboardBuffer, start: BufferAddress, count: number): void {
  const length = (buffer.endOfEntry(start) - start + buffer.positions) % buffer.positions || buffer.positions;
  let to = start;
  let from = (start + count) % buffer.positions;
  for (let moved = count; moved < length; moved++) {
    buffer.copyCharacter(from, to);
    to = buffer.next(to);
    from = buffer.next(from);
  }
  for (let cleared = 0; cleared < Math.min(count, length); cleared++) {
    buffer.erase(to);
    to = buffer.next(to);
  }
}

export function eraseToEndOfField<Code>(terminal: EntryTerminal<Code>): OperatorError | undefined {
  const { buffer, subfields } = terminal;
  if (!buffer.canBeTypedAt(buffer.cursor)) return operatorErrors.protected;
  const inSubfield = subfields?.reach(buffer.cursor) === true;
  const start = buffer.leftHalf(buffer.cursor);
  const end = buffer.formatted ? buffer.endOfEntry(start) : 0;
  let at = start;
  do {
    buffer.erase(at);
    at = buffer.next(at);
  } while (at !== end);
  if (inSubfield) subfields.end(start);
  markTyped(terminal, start);
  subfields?.settle(start);
  return undefined;
}

function eraseInput<Code>(terminal: EntryTerminal<Code>): undefined {
  const { buffer } = terminal;
  if (!buffer.formatted) {
    buffer.clear();
    return undefined;
  }
  let cursor: BufferAddress | undefined;
  for (let field = 0; field < buffer.positions; field++) {
    const attribute = buffer.fieldAttributes[field] as number;
    if (attribute === 0 || isProtected(attribute)) continue;
    cursor ??= buffer.next(field);
    for (let at = buffer.next(field); !buffer.isFieldAttribute(at); at = buffer.next(at)) buffer.erase(at);
    terminal.setModified(field, false);
    terminal.subfields?.settle(field);
  }
  buffer.cursor = cursor ?? 0;
  return undefined;
}

/** Deletes the character before the cursor, or the last one of a subfield there; at the start of a field, nothing. */
function eraseToTheLeft<Code>(terminal: EntryTerminal<Code>): OperatorError | undefined {
  const { buffer, subfields } = terminal;
  let before = buffer.previous(buffer.leftHalf(buffer.cursor));
  if (buffer.isFieldAttribute(before)) return undefined;
  if (!buffer.canBeTypedAt(buffer.cursor)) return operatorErrors.protected;
  const endsSubfield = subfields !== undefined && buffer.contentAt(before) === cellContents.shiftIn;
  if (endsSubfield) before = buffer.previous(before);
  buffer.cursor = buffer.leftHalf(before);
  return deleteCharacter(terminal);
}

function deleteField<Code>(terminal: EntryTerminal<Code>): OperatorError | undefined {
  const { buffer } = terminal;
  if (!buffer.canBeTypedAt(buffer.cursor)) return operatorErrors.protected;
  const field = buffer.fieldOf(buffer.cursor);
  if (field === undefined) return undefined;
  buffer.cursor = buffer.next(field);
  return eraseToEndOfField(terminal);
}

/** DUP moves the cursor to the next field, because the application duplicates the rest of this one. */
function enterDuplicate<Code>(terminal: EntryTerminal<Code>): OperatorError | undefined {
  const { buffer } = terminal;
  const from = buffer.cursor;
  const refusal = enterCode(terminal, terminal.duplicate);
  if (refusal === undefined) buffer.cursor = buffer.nextUnprotected(from);
  return refusal;
}

function markTyped<Code>(terminal: EntryTerminal<Code>, at: BufferAddress): void {
  const field = terminal.buffer.fieldOf(at);
  if (field !== undefined) terminal.setModified(field, true);
}

export function enterCharacter<Code>(terminal: EntryTerminal<Code>, character: string): OperatorError | undefined {
  const code = terminal.codeOf(character);
  return code === undefined ? operatorErrors.minusFunction : enterCode(terminal, code);
}

function enterCode<Code>(terminal: EntryTerminal<Code>, code: Code): OperatorError | undefined {
  const refusal = refusalAtCursor(terminal, code) ?? terminal.write(code);
  const isReversed = terminal.reverseInput === true && terminal.widthOf(code) === 1;
  if (refusal !== undefined && !(isReversed && refusal === operatorErrors.overflow)) return refusal;
  const { buffer } = terminal;
  const at = buffer.cursor;
  markTyped(terminal, at);
  if (isReversed && refusal === undefined) {
    terminal.subfields?.settle(at);
    return undefined;
  }
  const right = buffer.next(at);
  buffer.cursor = terminal.widthOf(code) === 2 ? buffer.next(right) : right;
  skipAttributes(buffer);
  terminal.subfields?.settle(at);
  return undefined;
}

function refusalAtCursor<Code>(terminal: EntryTerminal<Code>, code: Code): OperatorError | undefined {
  const { buffer, numericLock } = terminal;
  const attribute = buffer.attributeOf(buffer.cursor);
  if (buffer.isFieldAttribute(buffer.cursor) || isProtected(attribute)) return operatorErrors.protected;
  if (numericLock && isNumeric(attribute) && !terminal.isNumeric(code)) return operatorErrors.numeric;
  return undefined;
}

function skipAttributes(buffer: KeyboardBuffer): void {
  let { cursor } = buffer;
  for (let passed = 0; buffer.isFieldAttribute(cursor) && passed < buffer.positions; passed++) {
    const attribute = buffer.fieldAttributes[cursor] as number;
    cursor = isAutoSkip(attribute) ? buffer.nextUnprotected(cursor) : buffer.next(cursor);
  }
  buffer.cursor = cursor;
}
