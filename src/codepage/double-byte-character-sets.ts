import { DoubleByteCharacterSet } from './double-byte-character-set.js';
import type { PairTable } from './pair-table.js';
import { ibm1364Pairs } from './tables/ibm1364-pairs.js';
import { ibm1371Pairs } from './tables/ibm1371-pairs.js';
import { ibm1388Pairs } from './tables/ibm1388-pairs.js';
import { ibm1399Pairs } from './tables/ibm1399-pairs.js';

/** Which pages share a double-byte half: 930 and 939, 1390 and 1399 differ only in their single-byte halves. */
const tableOfPage: Readonly<Record<number, readonly [table: PairTable, page: number]>> = {
  930: [ibm1399Pairs, 939],
  933: [ibm1364Pairs, 933],
  935: [ibm1388Pairs, 935],
  937: [ibm1371Pairs, 937],
  939: [ibm1399Pairs, 939],
  1364: [ibm1364Pairs, 1364],
  1371: [ibm1371Pairs, 1371],
  1388: [ibm1388Pairs, 1388],
  1390: [ibm1399Pairs, 1399],
  1399: [ibm1399Pairs, 1399],
};

const built = new Map<number, DoubleByteCharacterSet>();

/** The double-byte half of a mixed page, built when first asked for (some 3 MB); undefined for a single-byte page. */
export function findDoubleByteCharacterSet(page: number): DoubleByteCharacterSet | undefined {
  const entry = tableOfPage[page];
  if (entry === undefined) return undefined;
  const [table, owner] = entry;
  const known = built.get(owner);
  if (known !== undefined) return known;
  const set = new DoubleByteCharacterSet(table, owner);
  built.set(owner, set);
  return set;
}
