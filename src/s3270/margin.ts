import { isProtected } from '../datastream/field-attribute.js';
import type { PresentationSpace } from '../screen/presentation-space.js';

/**
 * Where the cursor goes when it stands left of a margin: to the margin in the same line or, where that cannot be typed on, to the
 * next unprotected field, and to the margin again where that is left of it. Stays where there is none further on.
 */
export function cursorWithinMargin(space: PresentationSpace, margin: number): number {
  let at = space.cursor;
  let first: number | undefined;
  while (at % space.columns < margin) {
    at = at - (at % space.columns) + margin;
    first ??= at;
    const field = space.fieldOf(at);
    if (field === undefined || (field !== at && !isProtected(space.planes.fieldAttributes[field] as number))) continue;
    at = space.nextUnprotected(at);
    if (at <= first) return space.cursor;
  }
  return at;
}
