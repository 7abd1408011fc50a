/**
 * What the operator did that the terminal cannot do; the keyboard is locked until Reset. The names are those of the symbols
 * in the operator information area (GA27-2827, "Operator information area").
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
  /** X -f: the function is not available now. */
  minusFunction: 'minusFunction',
  /** X o MF: a field that must be filled is not. */
  mandatoryFill: 'mandatoryFill',
  /** X o ME: a field that must be entered is empty. */
  mandatoryEntry: 'mandatoryEntry',
} as const;

export type OperatorError = (typeof operatorErrors)[keyof typeof operatorErrors];
