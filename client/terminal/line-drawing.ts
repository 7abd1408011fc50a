/** The style sheet draws the strokes: fonts leave gaps between high rows and between columns of fractional width. */
const arms: ReadonlyMap<string, string> = new Map([
  ['─', 'left right'],
  ['│', 'up down'],
  ['┌', 'right down'],
  ['┐', 'left down'],
  ['└', 'right up'],
  ['┘', 'left up'],
  ['├', 'right up down'],
  ['┤', 'left up down'],
  ['┬', 'left right down'],
  ['┴', 'left right up'],
  ['┼', 'left right up down'],
  // lines at the cell edges: few fonts have them
  ['⎸', 'left-edge'],
  ['⎹', 'right-edge'],
]);

/** CSS classes of a line drawing character; `''` for other characters. */
export function lineDrawing(character: string): string {
  const leads = arms.get(character);
  return leads === undefined ? '' : ` drawn ${leads}`;
}
