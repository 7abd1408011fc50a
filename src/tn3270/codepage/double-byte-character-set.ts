const PAIR_DIGITS = 4;
const token = /\((?<sequence>[^)]+)\)|(?<first>[^-])-(?<last>[^-])|./gsu;
const UNASSIGNED = '.';

function* pairsOfText(text: string): Generator<readonly [pair: number, character: string]> {
  for (const line of text === '' ? [] : text.split('\n')) {
    let pair = Number.parseInt(line.slice(0, PAIR_DIGITS), 16);
    for (const { 0: character, groups } of line.slice(PAIR_DIGITS + 1).matchAll(token)) {
      if (groups?.sequence !== undefined) yield [pair++, groups.sequence];
      else if (groups?.first !== undefined) {
        const last = groups.last?.codePointAt(0) as number;
        for (let code = groups.first.codePointAt(0) as number; code <= last; code++) {
          yield [pair++, String.fromCodePoint(code)];
        }
      } else if (character === UNASSIGNED) pair++;
      else yield [pair++, character];
    }
  }
}

const LOWEST_PAIR = 0x4040;
const HIGHEST_PAIR = 0xfefe;

/**
 * The double-byte half of a mixed code page. A pair is `first byte << 8 | second byte`. Characters are strings because
 * some pairs are two code points (か and U+309A, in 1390 and 1399).
 */
export class DoubleByteCharacterSet {
  readonly #characters = new Array<string>(HIGHEST_PAIR - LOWEST_PAIR + 1).fill('');
  readonly #pairOfCharacter = new Map<string, number>();
  /** Faster lookup for characters of one UTF-16 unit. */
  readonly #pairOfUnit = new Uint16Array(0x10000);
  /** Second units of the characters with two code points. */
  readonly #lastUnits = new Set<number>();

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
    for (const [character, pair] of this.#pairOfCharacter) {
      if (character.length === 1) this.#pairOfUnit[character.charCodeAt(0)] = pair;
      else if ((character.codePointAt(0) as number) <= 0xffff) this.#lastUnits.add(character.charCodeAt(1));
    }
  }

  /** @returns one character, which may be two code points or two UTF-16 units; empty if unassigned */
  decodePair(pair: number): string {
    return this.#characters[pair - LOWEST_PAIR] ?? '';
  }

  /** @returns 0 if the character has no pair */
  encodePair(character: string): number {
    return this.#pairOfCharacter.get(character) ?? 0;
  }

  pairOfCodePoint(codePoint: number): number {
    if (codePoint <= 0xffff) return this.#pairOfUnit[codePoint] as number;
    return this.encodePair(String.fromCodePoint(codePoint));
  }

  /** The pair for a code point followed by `unit`; 0 if the two are not one character. */
  pairOfSequence(codePoint: number, unit: number): number {
    if (!this.#lastUnits.has(unit)) return 0;
    return this.encodePair(String.fromCodePoint(codePoint, unit));
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

/**
 * The generated double-byte characters of a code page. A pair is `first byte << 8 | second byte`.
 *
 * Each row of the text is a run of pairs with the same first byte: the first pair in hexadecimal, a blank, then the
 * characters of consecutive pairs. `.` is an unassigned pair, `x-z` the code points from x to z, `(xy)` one pair with
 * two code points. No ASCII character has a pair, so the format needs no escapes.
 */
export interface PairTable {
  readonly pairs: string;
  /** Same format: characters encoded as this pair although a lower pair or no pair decodes to them. */
  readonly encodedOtherwise: string;
  readonly part: PairTablePart;
}

interface PairTablePart {
  /** Decimal run lengths over the assigned pairs of the larger table: included, excluded, included, …. */
  readonly runs: string;
  /** Same format as `pairs`: the pairs that decode to other characters in the part. */
  readonly changes: string;
  readonly encodedOtherwise: string;
}
