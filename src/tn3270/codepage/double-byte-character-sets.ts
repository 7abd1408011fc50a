import { DoubleByteCharacterSet, type PairTable } from './double-byte-character-set.js';
import { ibm1364Pairs } from './tables/ibm1364-pairs.js';
import { ibm1371Pairs } from './tables/ibm1371-pairs.js';
import { ibm1388Pairs } from './tables/ibm1388-pairs.js';
import { ibm1399Pairs } from './tables/ibm1399-pairs.js';

/** Functions, so that a program which needs none of these long texts does not load them. */
type Pairs = () => PairTable;

/** 930 and 939, and 1390 and 1399, differ only in their single-byte halves. */
const pairsOfPage: Readonly<Record<number, readonly [pairs: Pairs, extent: 'whole' | 'part']>> = {
  930: [ibm1399Pairs, 'part'],
  933: [ibm1364Pairs, 'part'],
  935: [ibm1388Pairs, 'part'],
  937: [ibm1371Pairs, 'part'],
  939: [ibm1399Pairs, 'part'],
  1364: [ibm1364Pairs, 'whole'],
  1371: [ibm1371Pairs, 'whole'],
  1388: [ibm1388Pairs, 'whole'],
  1390: [ibm1399Pairs, 'whole'],
  1399: [ibm1399Pairs, 'whole'],
};

const builtSets = {
  whole: new Map<Pairs, DoubleByteCharacterSet>(),
  part: new Map<Pairs, DoubleByteCharacterSet>(),
} as const;

/** The double-byte half of a mixed page, built when first asked for (1 to 2 MB); undefined for a single-byte page. */
export function findDoubleByteCharacterSet(page: number): DoubleByteCharacterSet | undefined {
  const entry = pairsOfPage[page];
  if (entry === undefined) return undefined;
  const [pairs, extent] = entry;
  const known = builtSets[extent].get(pairs);
  if (known !== undefined) return known;
  const set = new DoubleByteCharacterSet(pairs(), extent);
  builtSets[extent].set(pairs, set);
  return set;
}
