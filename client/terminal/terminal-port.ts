/** A field of the screen as the view shows it. */
export interface ShownField {
  /** Of its attribute; its first character stands behind. */
  readonly address: number;
  readonly length: number;
  readonly isProtected: boolean;
  readonly isNumeric: boolean;
  readonly isNonDisplayable: boolean;
  readonly isIntensified: boolean;
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
}
