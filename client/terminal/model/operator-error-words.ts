import { programCheckOf } from '../../../src/screen-protocol/lock-code.js';

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

const FAULTY_RECORD = 'The host sent something that this terminal cannot show; what you sent last may have reached it';

export function operatorErrorWords(error: string): readonly [sign: string, words: string] {
  const check = programCheckOf(error);
  if (check !== undefined) return [`X PROG ${check}`, FAULTY_RECORD];
  return operatorErrors[error] ?? ['X', error];
}
