import type { HostScreen } from '../tn3270/screen/form-screen.js';

/** The parameter in which the button of an area sends its key; takes precedence over the form's key field. */
export const areaKeyField = 'SvcAreaKey';

/** What a click on an area of a generated page does. */
export type AreaAction =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  /** Already checked to be http, https or a path on the same site. */
  | { readonly kind: 'link'; readonly url: string };

export interface ClickableArea extends ScreenArea {
  readonly action: AreaAction;
  /** Only while the area shows this text (or, not equal, another), blanks at the end apart. Undefined: always. */
  readonly condition: { readonly text: string; readonly isEqual: boolean } | undefined;
}

export interface Choice {
  /** The field's content if this is chosen, without trailing blanks. */
  readonly value: string;
  readonly label: string;
}

/** In place of a text input. */
export type FieldControl =
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'binary'; readonly on: string; readonly off: string }
  | { readonly kind: 'hidden' };

/** An input field by a place within it; row and column count from 1. */
export interface DeclaredField {
  readonly row: number;
  readonly column: number;
  readonly control: FieldControl;
}

/** What generated pages show beside text and inputs. If areas overlap, the later one wins. */
export interface PageDeclarations {
  readonly areas: readonly ClickableArea[];
  readonly fields: readonly DeclaredField[];
}

/** The accepted values of a field shown as a list or check box. */
export interface OfferedChoice {
  /** Of the field in the form. */
  readonly name: string;
  /** Its choices and its previous content. */
  readonly values: ReadonlySet<string>;
  /** Its content if it is not in the form; undefined: unchanged. */
  readonly whenMissing: string | undefined;
}

/** Part of a screen: `(row,col,len)`, row and column from 1. */
export interface ScreenArea {
  readonly row: number;
  readonly column: number;
  readonly length: number;
}

/** Positions from 0; `to` is behind the last and never before `from`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Positions of an area; what is beyond the screen is left out. */
export function positionsOf({ row, column, length }: ScreenArea, { rows, columns }: HostScreen): Stretch {
  const positions = rows * columns;
  const from = Math.min((row - 1) * columns + column - 1, positions);
  return { from, to: column > columns ? from : Math.min(from + length, positions) };
}
