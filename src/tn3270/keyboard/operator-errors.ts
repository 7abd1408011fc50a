/**
 * Operator errors lock the keyboard until Reset or a key that clears them. Names of the symbols in the operator
 * information area (GA27-2827, "Operator information area").
 */
export const operatorErrors = {
  /** X <-o->: the position is protected or is a field attribute. */
  protected: 'goElsewhere',
  /** X o NUM: the field accepts only digits, minus and full stop. */
  numeric: 'numericField',
  /** X o>: no room to insert. */
  overflow: 'tooMuchEntered',
  /** X DBCS: the character is not possible at this position. */
  doubleByte: 'doubleByteCharacter',
  /** X -f: the function is not available. */
  minusFunction: 'minusFunction',
  /** X o MF: a mandatory-fill field is incomplete. */
  mandatoryFill: 'mandatoryFill',
  /** X o ME: a mandatory-entry field was not entered. */
  mandatoryEntry: 'mandatoryEntry',
} as const;

export type OperatorError = (typeof operatorErrors)[keyof typeof operatorErrors];
