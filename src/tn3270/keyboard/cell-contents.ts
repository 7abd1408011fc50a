/** What a key looks for at a position, whatever code or character stands for it there. */
export const cellContents = {
  /** Anything else, and a field attribute. */
  character: 0,
  null: 1,
  blank: 2,
  underscore: 3,
  shiftOut: 4,
  shiftIn: 5,
} as const;

export type CellContent = (typeof cellContents)[keyof typeof cellContents];
