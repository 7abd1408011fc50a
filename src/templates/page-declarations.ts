import type { HostScreen } from '../tn3270/screen/form-screen.js';

/** Parameter with the key of an area's button; it takes precedence over the key field of the form. */
export const areaKeyField = 'SvcAreaKey';

export type AreaAction =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  /** Already checked to be http, https or a path on the same site. */
  | { readonly kind: 'link'; readonly url: string };

export interface ClickableArea extends OneBasedArea {
  readonly action: AreaAction;
  /**
   * The area is active only while it shows this text (or, if not `isEqual`, another text), ignoring trailing blanks.
   * Undefined: always.
   */
  readonly condition: { readonly text: string; readonly isEqual: boolean } | undefined;
}

export interface Choice {
  /** Content of the field for this choice, without trailing blanks. */
  readonly value: string;
  readonly label: string;
}

export type FieldControl =
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'binary'; readonly on: string; readonly off: string }
  | { readonly kind: 'hidden' };

/** An input field, identified by a position in it; row and column count from 1. */
export interface DeclaredField {
  readonly row: number;
  readonly column: number;
  readonly control: FieldControl;
}

/** If areas overlap, the later one wins. */
export interface PageDeclarations {
  readonly areas: readonly ClickableArea[];
  readonly fields: readonly DeclaredField[];
}

export interface OfferedChoice {
  readonly name: string;
  /** The choices and the previous content. */
  readonly values: ReadonlySet<string>;
  /** Content if the form does not contain the field; undefined: unchanged. */
  readonly whenMissing: string | undefined;
}

export interface OneBasedArea {
  readonly row: number;
  readonly column: number;
  readonly length: number;
}

/** Positions from 0; `to` is exclusive and never less than `from`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export function positionsOf({ row, column, length }: OneBasedArea, { rows, columns }: HostScreen): Stretch {
  const positions = rows * columns;
  const from = Math.min((row - 1) * columns + column - 1, positions);
  return { from, to: column > columns ? from : Math.min(from + length, positions) };
}
