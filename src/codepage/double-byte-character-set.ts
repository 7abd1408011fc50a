import type { PairTable } from './pair-table.js';

const LOWEST_BYTE = 0x40;
const HIGHEST_BYTE = 0xfe;
/** The blank of every double-byte character set. */
export const DOUBLE_BYTE_BLANK = 0x4040;

/** The double-byte half of a mixed code page. A pair is `first byte << 8 | second byte`. */
export class DoubleByteCharacterSet {
  readonly #textOfPair = new Map<number, string>();
  readonly #pairOfText = new Map<string, number>();

  /** @param page the number of the code page: the table may hold more pairs than it has */
  constructor(table: PairTable, page: number) {
    for (const segment of table.segments) {
      const [pair, textOrCode] = segment;
      if (typeof textOrCode === 'string') this.#assignRun(pair, textOrCode);
      else this.#assignRun(pair, countUpwards(textOrCode, segment[2] ?? 0));
    }
    for (const [pair, text] of table.sequences) this.#textOfPair.set(pair, text);
    const part = table.parts[page];
    if (part !== undefined) {
      const kept = new Set<number>();
      for (const [first, last] of part.ranges) for (let pair = first; pair <= last; pair++) kept.add(pair);
      for (const pair of [...this.#textOfPair.keys()]) if (!kept.has(pair)) this.#textOfPair.delete(pair);
      for (const [pair, text] of part.changes) this.#textOfPair.set(pair, text);
    }
    const rising = [...this.#textOfPair].sort(([left], [right]) => left - right);
    for (const [pair, text] of rising) if (!this.#pairOfText.has(text)) this.#pairOfText.set(text, pair);
    for (const [text, pair] of table.encodedOtherwise) if (this.#textOfPair.has(pair)) this.#pairOfText.set(text, pair);
  }

  /** One character, which may be two code points or two UTF-16 units; empty where the page assigns none. */
  decodePair(pair: number): string {
    return this.#textOfPair.get(pair) ?? '';
  }

  /** @param character one code point, or one that `decodePair` gives; 0 where it has no pair */
  encodePair(character: string): number {
    return this.#pairOfText.get(character) ?? 0;
  }

  #assignRun(first: number, characters: Iterable<string>): void {
    let pair = first;
    for (const character of characters) {
      this.#textOfPair.set(pair, character);
      pair = (pair & 0xff) === HIGHEST_BYTE ? (pair & 0xff00) + 0x100 + LOWEST_BYTE : pair + 1;
    }
  }
}

function* countUpwards(codePoint: number, count: number): Generator<string> {
  for (let at = 0; at < count; at++) yield String.fromCodePoint(codePoint + at);
}
