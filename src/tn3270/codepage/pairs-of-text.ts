const PAIR_DIGITS = 4;
const token = /\((?<sequence>[^)]+)\)|(?<first>[^-])-(?<last>[^-])|./gsu;
const UNASSIGNED = '.';

/** The pairs of a text (its form: `PairTable`) and what each decodes to, in the order in which they are written. */
export function* pairsOfText(text: string): Generator<readonly [pair: number, character: string]> {
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
