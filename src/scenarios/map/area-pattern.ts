import { codePointCount } from '../../lib/text/code-points.js';
import type { AreaPattern } from './definition.js';

/** How many characters of a value the pattern takes. */
export function placeholderCount({ text, placeholder }: AreaPattern): number {
  return codePointCount(text) - codePointCount(text.replaceAll(placeholder, ''));
}

/** The pattern with the characters of the value at its placeholders, blanks where there are too few, the rest left out. */
export function applyPattern({ text, placeholder }: AreaPattern, value: string): string {
  const characters = value[Symbol.iterator]();
  let formatted = '';
  for (const character of text) formatted += character === placeholder ? (characters.next().value ?? ' ') : character;
  return formatted;
}

/** The characters that stand at the placeholders. */
export function readPattern({ text, placeholder }: AreaPattern, formatted: string): string {
  const characters = formatted[Symbol.iterator]();
  let value = '';
  for (const character of text) {
    const { value: found, done } = characters.next();
    if (done) break;
    if (character === placeholder) value += found;
  }
  return value;
}
