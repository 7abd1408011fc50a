import { type OperatorError, operatorErrors } from '../../../src/screen/operator-information.js';
import { NULL } from './cell-signs.js';
import { isModified, validations } from './field-attribute.js';
import type { PresentationBuffer } from './presentation-buffer.js';

export interface UnsentField {
  /** Of the field attribute. */
  readonly field: number;
  readonly refusal: OperatorError;
}

/** Whether the cursor may leave a mandatory-fill field: one that was typed into must hold no null. */
export function refusalToLeave(buffer: PresentationBuffer, field: number): OperatorError | undefined {
  if (!has(buffer, field, validations.mandatoryFill) || !isModified(buffer.attributes[field] as number)) {
    return undefined;
  }
  let blank = true;
  let filled = true;
  for (const at of buffer.positionsOf(field)) {
    if (buffer.cells[at] === NULL) filled = false;
    else blank = false;
  }
  return blank || filled ? undefined : operatorErrors.mandatoryFill;
}

/** The first field that must be entered and was not, or must be filled and is not; undefined where the screen may be sent. */
export function findUnsentField(buffer: PresentationBuffer): UnsentField | undefined {
  for (let at = 0; at < buffer.positions; at++) {
    const attribute = buffer.attributes[at] as number;
    if (attribute === 0 || buffer.validations[at] === 0) continue;
    const isMissing = has(buffer, at, validations.mandatoryEntry) && !isModified(attribute);
    const refusal = isMissing ? operatorErrors.mandatoryEntry : refusalToLeave(buffer, at);
    if (refusal !== undefined) return { field: at, refusal };
  }
  return undefined;
}

/** Whether leaving a field is to be told to the host at once: it has the trigger attribute and was typed into. */
export function triggers(buffer: PresentationBuffer, field: number): boolean {
  return has(buffer, field, validations.trigger) && isModified(buffer.attributes[field] as number);
}

function has(buffer: PresentationBuffer, field: number, validation: number): boolean {
  return ((buffer.validations[field] as number) & validation) !== 0;
}
