import type { Reason } from '../../lib/locale.js';
import { characterNumber, isVisible } from '../../lib/text/typed-characters.js';

/** Reasons that differ for the engine, but not for users. */
const sameReasons: Readonly<Record<string, Reason['code']>> = { tooMuchEntered: 'field.tooLong' };
const reasons: readonly Reason['code'][] = [
  'field.unknownField',
  'field.cursorOutside',
  'field.goElsewhere',
  'field.tooLong',
  'field.untypable',
  'field.numericField',
  'field.doubleByteCharacter',
  'field.mandatoryFill',
  'field.mandatoryEntry',
  'field.choice',
];

/** A name that a client sent, shortened for messages. */
export const shortName = (field: string) => field.slice(0, 64);

/** Why the screen rejected a field. `character` is one that the code page of the host lacks. */
export function fieldReason(name: string, reason: string, character?: string): Reason {
  const field = shortName(name);
  if (character !== undefined) {
    return { code: 'field.lacking', values: { field, character: namedCharacter(character) } };
  }
  const code = sameReasons[reason] ?? reasons.find((one) => one === `field.${reason}`) ?? 'field.otherwise';
  return { code, values: { field } };
}

/** With its number, because characters can look the same. */
function namedCharacter(character: string): string {
  const number = characterNumber(character);
  return isVisible(character) ? `${character} (${number})` : number;
}
