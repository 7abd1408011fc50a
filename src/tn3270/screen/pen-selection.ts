import { isDetectable } from '../datastream/field-attribute.js';
import { formatControls, SPACE } from '../datastream/orders.js';
import type { ScreenState } from './screen-state.js';

/** The first character of a field says what becomes of it. */
const designators = { greater: 0x6e, question: 0x6f, ampersand: 0x50 } as const;

/**
 * The light pen, or its key, on the field that the cursor is in (GA23-0059, "Selector pen operations"): the field is marked or
 * its mark is taken away, and an attention field tells the host.
 * @returns how the host is told; undefined: not at all
 */
export function selectByPen({ space }: ScreenState): 'Enter' | 'pen' | undefined {
  const field = space.fieldOf(space.cursor);
  if (field === undefined || !isDetectable(space.attributeOf(field))) return undefined;
  const at = space.next(field);
  switch (space.planes.codes[at]) {
    case designators.greater:
      space.planes.setCharacter(at, designators.question);
      space.setModified(field, false);
      return undefined;
    case designators.question:
      space.planes.setCharacter(at, designators.greater);
      space.setModified(field, true);
      return undefined;
    case designators.ampersand:
      space.setModified(field, true);
      return 'Enter';
    case SPACE:
    case formatControls.null:
      space.setModified(field, true);
      return 'pen';
    default:
      return undefined;
  }
}
