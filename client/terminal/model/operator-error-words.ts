import { programCheckOf } from '../../../src/terminal/protocol/server-message.js';
import { type WordKey, words } from '../words/words.js';

export const operatorErrors: Readonly<Record<string, readonly [sign: string, words: WordKey]>> = {
  goElsewhere: ['X <-o->', 'operatorError.goElsewhere'],
  numericField: ['X o NUM', 'operatorError.numericField'],
  tooMuchEntered: ['X o>', 'operatorError.tooMuchEntered'],
  doubleByteCharacter: ['X DBCS', 'operatorError.doubleByteCharacter'],
  minusFunction: ['X -f', 'operatorError.minusFunction'],
  mandatoryFill: ['X o MF', 'operatorError.mandatoryFill'],
  mandatoryEntry: ['X o ME', 'operatorError.mandatoryEntry'],
};

export function operatorErrorWords(error: string): readonly [sign: string, words: string] {
  const check = programCheckOf(error);
  if (check !== undefined) return [`X PROG ${check}`, words('operatorError.programCheck')];
  const known = operatorErrors[error];
  return known === undefined ? ['X', error] : [known[0], words(known[1])];
}
