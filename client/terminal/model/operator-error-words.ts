/** Operator errors as the terminal shows them, and what they mean. */
const operatorErrors: Readonly<Record<string, readonly [sign: string, words: string]>> = {
  goElsewhere: ['X <-o->', 'Nothing can be typed here'],
  numericField: ['X o NUM', 'This field takes digits, minus and full stop'],
  tooMuchEntered: ['X o>', 'There is no room to insert'],
  doubleByteCharacter: ['X DBCS', 'This character cannot stand here'],
  minusFunction: ['X -f', 'This function is not available here'],
  mandatoryFill: ['X o MF', 'This field must be filled'],
  mandatoryEntry: ['X o ME', 'This field must be entered'],
};

export function operatorErrorWords(error: string): readonly [sign: string, words: string] {
  return operatorErrors[error] ?? ['X', error];
}
