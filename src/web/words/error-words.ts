import type { Reason } from '../../lib/locale.js';
import { characterNumber, isVisible } from '../../lib/text/typed-characters.js';
import type { SubmitOutcome } from '../../sessions/submit.js';

type Refusal = Extract<SubmitOutcome, { kind: 'refused' }>['reason'] | 'choice';

const codes: Readonly<Record<Refusal, Reason['code']>> = {
  unknownField: 'field.unknownField',
  cursorOutside: 'field.cursorOutside',
  goElsewhere: 'field.goElsewhere',
  tooLong: 'field.tooLong',
  // differs for the engine, but not for users
  tooMuchEntered: 'field.tooLong',
  untypable: 'field.untypable',
  numericField: 'field.numericField',
  doubleByteCharacter: 'field.doubleByteCharacter',
  mandatoryFill: 'field.mandatoryFill',
  mandatoryEntry: 'field.mandatoryEntry',
  minusFunction: 'field.otherwise',
  choice: 'field.choice',
};

/** A name that a client sent, shortened for messages. */
export const shortName = (field: string) => field.slice(0, 64);

/** Why the screen rejected a field. `character` is one that the code page of the host lacks. */
export function fieldReason(name: string, reason: Refusal, character?: string): Reason {
  const field = shortName(name);
  if (character !== undefined) {
    return { code: 'field.lacking', values: { field, character: namedCharacter(character) } };
  }
  return { code: codes[reason], values: { field } };
}

/** With its number, because characters can look the same. */
function namedCharacter(character: string): string {
  const number = characterNumber(character);
  return isVisible(character) ? `${character} (${number})` : number;
}
