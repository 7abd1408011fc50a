import type { PairTable } from './pair-table.js';
import { pairsOfText } from './pairs-of-text.js';

const LOWEST_PAIR = 0x4040;
const HIGHEST_PAIR = 0xfefe;

/**
 * The double-byte half of a mixed code page. A pair is `first byte << 8 | second byte`. Characters are strings, because some
 * pairs are two code points (か and U+309A, in 1390 and 1399); a look-up makes no new ones.
 */
export class DoubleByteCharacterSet {
  /** By pair, from LOWEST_PAIR on. */
  readonly #characters = new Array<string>(HIGHEST_PAIR - LOWEST_PAIR + 1).fill('');
  readonly #pairOfCharacter = new Map<string, number>();

  constructor(table: PairTable, extent: 'whole' | 'part') {
    for (const [pair, character] of pairsOfText(table.pairs)) this.#characters[pair - LOWEST_PAIR] = character;
    if (extent === 'part') {
      this.#keepRuns(table.part.runs);
      for (const [pair, character] of pairsOfText(table.part.changes)) this.#characters[pair - LOWEST_PAIR] = character;
    }
    this.#characters.forEach((character, at) => {
      if (character !== '' && !this.#pairOfCharacter.has(character))
        this.#pairOfCharacter.set(character, LOWEST_PAIR + at);
    });
    const { encodedOtherwise } = extent === 'part' ? table.part : table;
    for (const [pair, character] of pairsOfText(encodedOtherwise)) this.#pairOfCharacter.set(character, pair);
  }

  /** One character, which may be two code points or two UTF-16 units; empty if unassigned. */
  decodePair(pair: number): string {
    return this.#characters[pair - LOWEST_PAIR] ?? '';
  }

  /** @param character one code point, or a result of `decodePair`. Returns 0 if it has no pair */
  encodePair(character: string): number {
    return this.#pairOfCharacter.get(character) ?? 0;
  }

  #keepRuns(runs: string): void {
    const lengths = runs.split(' ').map(Number);
    let turn = 0;
    let left = lengths[turn] as number;
    this.#characters.forEach((character, at) => {
      if (character === '') return;
      while (left === 0) left = lengths[++turn] ?? Number.POSITIVE_INFINITY;
      if (turn % 2 === 1) this.#characters[at] = '';
      left--;
    });
  }
}
