import type { PresentationSpace } from '../tn3270/screen/presentation-space.js';

/** Takes a cursor that stands left of a margin to it, in the same line, whatever stands there. */
export function keepWithinMargin(space: PresentationSpace, margin: number): void {
  space.cursor += Math.max(0, margin - (space.cursor % space.columns));
}
