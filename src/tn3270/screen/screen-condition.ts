/** Row and column, counted from 1; a negative row counts from the bottom, -1 is the last. */
export type RowAndColumn = readonly [row: number, column: number];
/** First row and column, last row and column; both belong to it. */
export type Area = readonly [row: number, column: number, lastRow: number, lastColumn: number];

/** A text that is displayed: at a place, in a row, within an area, or in any row. It does not go on in the next row. */
export interface TextCondition {
  readonly text: string;
  readonly row?: number;
  readonly column?: number;
  readonly area?: Area;
}

/** The attributes of the field at a position. */
export interface AttributeCondition {
  readonly at: RowAndColumn;
  readonly protected?: boolean;
  readonly numeric?: boolean;
  readonly nonDisplayable?: boolean;
  readonly intensified?: boolean;
}

/** One condition, as a definition has it in YAML. */
export type ScreenCondition =
  | TextCondition
  | { readonly not: ScreenCondition }
  /** How many fields there are; those that can be typed into. */
  | { readonly fields: number }
  | { readonly inputFields: number }
  | { readonly cursor: RowAndColumn }
  | { readonly attribute: AttributeCondition }
  /** Nothing at all is displayed. */
  | { readonly blank: true };

/** Several screens, one of which is wanted: of each, the conditions that all hold. */
export type ScreenChoice = readonly (readonly ScreenCondition[])[];
