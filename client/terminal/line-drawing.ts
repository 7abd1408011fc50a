/**
 * Where the lines of a line drawing character lead to from its middle. They are drawn by the style sheet: a font leaves gaps
 * between rows that are higher than its characters, and between columns that are no whole pixels.
 */
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
  // at the edges of the cell: few fonts have them
  ['⎸', 'left-edge'],
  ['⎹', 'right-edge'],
]);

/** Classes for a character that is drawn by lines; '' for any other. */
export function lineDrawing(character: string): string {
  const leads = arms.get(character);
  return leads === undefined ? '' : ` drawn ${leads}`;
}
