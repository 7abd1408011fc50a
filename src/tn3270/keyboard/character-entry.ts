import { isAutoSkip, isNumeric, isProtected } from '../datastream/field-attribute.js';
import type { EntryTerminal } from './entry-terminal.js';
import type { KeyboardBuffer } from './keyboard-buffer.js';
import { type OperatorError, operatorErrors } from './operator-errors.js';

/** Types one character at the cursor. @returns why it could not be; nothing has changed then */
export function enterCharacter<Code>(terminal: EntryTerminal<Code>, character: string): OperatorError | undefined {
  const code = terminal.codeOf(character);
  return code === undefined ? operatorErrors.minusFunction : enterCode(terminal, code);
}

/** The same for what the terminal keeps of a character. */
export function enterCode<Code>(terminal: EntryTerminal<Code>, code: Code): OperatorError | undefined {
  const refusal = refusalAtCursor(terminal, code) ?? terminal.write(code);
  const isReversed = terminal.reverseInput === true && terminal.widthOf(code) === 1;
  if (refusal !== undefined && !(isReversed && refusal === operatorErrors.overflow)) return refusal;
  const { buffer } = terminal;
  const at = buffer.cursor;
  const field = buffer.fieldOf(at);
  if (field !== undefined) terminal.setModified(field, true);
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

/** Behind what was typed the cursor passes over attributes, and over fields that it is to skip. */
function skipAttributes(buffer: KeyboardBuffer): void {
  let { cursor } = buffer;
  for (let passed = 0; buffer.isFieldAttribute(cursor) && passed < buffer.positions; passed++) {
    const attribute = buffer.fieldAttributes[cursor] as number;
    cursor = isAutoSkip(attribute) ? buffer.nextUnprotected(cursor) : buffer.next(cursor);
  }
  buffer.cursor = cursor;
}
