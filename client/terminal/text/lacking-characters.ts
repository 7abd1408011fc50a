import type { LackingText } from '../model/pasting.js';
import { usualReplacement } from './usual-replacements.js';

export interface LackingCharacters {
  readonly count: number;
  /** Distinct characters; empty for text of hidden fields. */
  readonly characters: readonly string[];
  readonly replacements: ReadonlyMap<string, string>;
  /** Text with all replacements; undefined if one is missing or the field is hidden. */
  readonly replaced: string | undefined;
}

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
