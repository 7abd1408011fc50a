import { unicodeWidth } from './model/character-width.js';

interface ChangedText {
  /** Length of the common start. */
  readonly before: number;
  readonly removed: number;
  readonly inserted: string;
}

export function changedText(old: string, now: string): ChangedText {
  const [some, others] = [[...old], [...now]];
  const head = alike(some, others);
  const end = alike(some.slice(head).reverse(), others.slice(head).reverse());
  return {
    before: positionsOf(some.slice(0, head)),
    removed: some.length - head - end,
    inserted: others.slice(head, others.length - end).join(''),
  };
}

export function positionsOf(characters: readonly string[]): number {
  return characters.reduce((width, character) => width + (unicodeWidth(character) === 2 ? 2 : 1), 0);
}

function alike(some: readonly string[], others: readonly string[]): number {
  const other = some.findIndex((one, at) => one !== others[at]);
  return other < 0 ? some.length : other;
}
