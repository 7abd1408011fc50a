/** A text that a screen has always: in one row, at a place that counts from 1. */
export interface ScreenText {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** What tells a screen from others: texts that all stand on it. Conditions of screen definitions have the same form. */
export type ScreenTexts = readonly ScreenText[];

export const MOST_SCREEN_TEXTS = 10;

/** As macro editors write it: row, column and text of each, `screen(1,2,"SIGNON",8,14,"Userid")`. */
export function screenStepText(texts: ScreenTexts): string {
  return `screen(${texts.map(({ row, column, text }) => `${row},${column},${JSON.stringify(text)}`).join(',')})`;
}
