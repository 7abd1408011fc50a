export interface ShownField {
  /** Address of its attribute; its first character follows. */
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
