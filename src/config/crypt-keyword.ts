import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';

/** A CRYPTn keyword of the TCT (specification 2.6); the meaning of its members is the field encryption's. */
export interface CryptKeyword {
  /** `CRYPT1`, `CRYPT2` … */
  readonly keyword: string;
  /** First member, by which templates and transactions name it. */
  readonly name: string;
  /** In their order: name, cipher, key algorithm, provider, encoding[, chaining[, padding]]; the name alone, or 5 to 7. An empty one is not said. */
  readonly members: readonly string[];
}

const FEWEST_MEMBERS = 5;
const MOST_MEMBERS = 7;
/** What the standard terminal asks for (reference 3.1): a keyword without a tuple stands for the null one of this name. */
const USUAL_NAME = 'CRYPT3270';

/**
 * Reads `(name,cipher,key algorithm,provider,encoding[,chaining[,padding]])`; blanks around members are ignored. `(name)`,
 * and a keyword with nothing behind it, mean a null tuple (specification 2.6).
 *
 * @returns the keyword, or what was expected of it
 */
export function readCryptKeyword(keyword: string, tuple: string | null): ReadOutcome<CryptKeyword> {
  if (tuple === null || tuple.trim() === '') return readAs({ keyword, name: USUAL_NAME, members: [USUAL_NAME] });
  const inner = /^\s*\(([^()]*)\)\s*$/.exec(tuple)?.[1];
  if (inner === undefined) return readFault('expected (name,cipher,key algorithm,provider,encoding) in parentheses');
  const members = inner.split(',').map((member) => member.trim());
  if (members.length !== 1 && (members.length < FEWEST_MEMBERS || members.length > MOST_MEMBERS)) {
    return readFault(
      `expected ${FEWEST_MEMBERS} to ${MOST_MEMBERS} members (name,cipher,key algorithm,provider,encoding,chaining,padding), found ${members.length}`,
    );
  }
  const [name = ''] = members;
  if (!/^[A-Za-z0-9]{1,32}$/.test(name))
    return readFault(`expected a crypt name of letters and digits, found "${name}"`);
  return readAs({ keyword, name, members });
}
