/** What the operator did that the terminal cannot do, by the names that the server has for it (GA27-2827). */
export const operatorErrors = {
  /** X <-o->: the position is protected or is a field attribute. */
  protected: 'goElsewhere',
  /** X o NUM: the field takes digits, minus and full stop. */
  numeric: 'numericField',
  /** X o>: no room to insert. */
  overflow: 'tooMuchEntered',
  /** X DBCS: the character cannot stand there. */
  doubleByte: 'doubleByteCharacter',
  /** X -f: the function is not available now. */
  minusFunction: 'minusFunction',
  /** X o MF: a field that must be filled is not. */
  mandatoryFill: 'mandatoryFill',
  /** X o ME: a field that must be entered is empty. */
  mandatoryEntry: 'mandatoryEntry',
} as const;

export type OperatorError = (typeof operatorErrors)[keyof typeof operatorErrors];
