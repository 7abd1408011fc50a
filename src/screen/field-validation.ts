import { validations } from '../datastream/attributes.js';
import type { BufferAddress } from '../datastream/buffer-address.js';
import { isModified } from '../datastream/field-attribute.js';
import { type OperatorError, operatorErrors } from './operator-information.js';
import type { PresentationSpace } from './presentation-space.js';

/**
 * Whether the cursor may leave a mandatory-fill field: one that was typed into must hold no null (GA23-0059, chapter 4,
 * "Field validation").
 */
export function refusalToLeave(space: PresentationSpace, field: BufferAddress | undefined): OperatorError | undefined {
  if (field === undefined) return undefined;
  const { planes } = space;
  if (((planes.validations[field] as number) & validations.mandatoryFill) === 0) return undefined;
  if (!isModified(planes.fieldAttributes[field] as number)) return undefined;
  let blank = true;
  let filled = true;
  for (let at = space.next(field); planes.fieldAttributes[at] === 0; at = space.next(at)) {
    if (planes.codes[at] === 0) filled = false;
    else blank = false;
  }
  return blank || filled ? undefined : operatorErrors.mandatoryFill;
}

/** The first field that must be entered and was not, or must be filled and is not; undefined where the screen may be sent. */
export function findUnsentField(
  space: PresentationSpace,
): { field: BufferAddress; refusal: OperatorError } | undefined {
  const { validations: rules, fieldAttributes } = space.planes;
  for (let at = 0; at < space.positions; at++) {
    const attribute = fieldAttributes[at] as number;
    if (attribute === 0 || rules[at] === 0) continue;
    const mustBeEntered = ((rules[at] as number) & validations.mandatoryEntry) !== 0;
    const refusal = mustBeEntered && !isModified(attribute) ? operatorErrors.mandatoryEntry : refusalToLeave(space, at);
    if (refusal !== undefined) return { field: at, refusal };
  }
  return undefined;
}

/** Whether leaving a field is to be told to the host at once: it has the trigger attribute and was typed into. */
export function triggers(space: PresentationSpace, field: BufferAddress | undefined): boolean {
  if (field === undefined) return false;
  const isTrigger = ((space.planes.validations[field] as number) & validations.trigger) !== 0;
  return isTrigger && isModified(space.planes.fieldAttributes[field] as number);
}
