import type { LackingText } from '../model/pasting.js';
import { usualReplacement } from './usual-replacements.js';

/** Characters of a text that the host's code page lacks. */
export interface LackingCharacters {
  readonly count: number;
  /** Each of them once; none where the text was meant to be hidden. */
  readonly characters: readonly string[];
  /** What usually replaces those that have a replacement, by the character. */
  readonly replacements: ReadonlyMap<string, string>;
  /** The text with these replacements; undefined if a character has no replacement, or if the field is not displayed. */
  readonly replaced: string | undefined;
}

/** @param isTaken whether the code page has a character */
export function lackingCharacters(
  { characters, isHidden }: LackingText,
  isTaken: (character: string) => boolean,
): LackingCharacters {
  const isTyped = (one: string) => one === '\n' || one === '\t' || isTaken(one);
  const all = characters.filter((one) => !isTyped(one));
  const { length: count } = all;
  if (isHidden) return { count, characters: [], replacements: new Map(), replaced: undefined };
  const lacking = [...new Set(all)];
  const replacements = new Map<string, string>();
  for (const one of lacking) {
    const plain = usualReplacement(one);
    if (plain !== undefined && [...plain].every(isTyped)) replacements.set(one, plain);
  }
  const isWhole = lacking.every((one) => replacements.has(one));
  const replaced = isWhole ? characters.map((one) => replacements.get(one) ?? one).join('') : undefined;
  return { count, characters: lacking, replacements, replaced };
}
