import { validations } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { isModified } from '../datastream/field-attribute.js';
import { cellContents, type KeyboardBuffer } from './keyboard-buffer.js';
import { type OperatorError, operatorErrors } from './operator-errors.js';

interface UnsentField {
  readonly field: BufferAddress;
  readonly refusal: OperatorError;
}

/** A modified mandatory-fill field must be empty or contain no null (GA23-0059, chapter 4, "Field validation"). */
export function refusalToLeave(buffer: KeyboardBuffer, field: BufferAddress): OperatorError | undefined {
  if (!has(buffer, field, validations.mandatoryFill)) return undefined;
  if (!isModified(buffer.fieldAttributes[field] as number)) return undefined;
  let blank = true;
  let filled = true;
  for (let at = buffer.next(field); !buffer.isFieldAttribute(at); at = buffer.next(at)) {
    if (buffer.contentAt(at) === cellContents.null) filled = false;
    else blank = false;
  }
  return blank || filled ? undefined : operatorErrors.mandatoryFill;
}

/** The first mandatory-entry field that was not modified, or mandatory-fill field that is not filled. */
export function findUnsentField(buffer: KeyboardBuffer): UnsentField | undefined {
  const { fieldAttributes, validations: rules } = buffer;
  for (let at = 0; at < buffer.positions; at++) {
    const attribute = fieldAttributes[at] as number;
    if (attribute === 0 || rules[at] === 0) continue;
    const isMissing = has(buffer, at, validations.mandatoryEntry) && !isModified(attribute);
    const refusal = isMissing ? operatorErrors.mandatoryEntry : refusalToLeave(buffer, at);
    if (refusal !== undefined) return { field: at, refusal };
  }
  return undefined;
}

export function triggers(buffer: KeyboardBuffer, field: BufferAddress): boolean {
  return has(buffer, field, validations.trigger) && isModified(buffer.fieldAttributes[field] as number);
}

function has(buffer: KeyboardBuffer, field: BufferAddress, validation: number): boolean {
  return ((buffer.validations[field] as number) & validation) !== 0;
}
