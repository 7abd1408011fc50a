import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

/** Parameters on a command line. */
const MOST_GIVEN = 200;

/**
 * Takes `NAME=VALUE` apart.
 * @returns values by their names, or what is wrong in words; a value is in none of them
 */
export function readGiven(words: readonly string[]): ReadOutcome<ReadonlyMap<string, string>> {
  if (words.length > MOST_GIVEN) return readFault(`expected at most ${MOST_GIVEN} parameters`);
  const given = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) return readFault('a parameter is malformed: expected NAME=VALUE');
    const name = word.slice(0, equals);
    if (given.has(name)) return readFault(`the parameter ${name} is there more than once`);
    given.set(name, word.slice(equals + 1));
  }
  return readAs(given);
}

/** What JSON would have: of a boolean no text. Everything else may come as text. */
export function jsonValue({ type }: { readonly type: unknown }, text: string): string | boolean {
  if (type !== 'boolean' || (text !== 'true' && text !== 'false')) return text;
  return text === 'true';
}
