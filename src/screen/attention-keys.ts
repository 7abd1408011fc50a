import { aids } from '../datastream/aid.js';

/** Keys that send an attention identifier, by the names that operators know them under. */
export const attentionKeys: ReadonlyMap<string, number> = new Map([
  ['Enter', aids.enter],
  ['Clear', aids.clear],
  ['PA1', aids.pa1],
  ['PA2', aids.pa2],
  ['PA3', aids.pa3],
  ...Array.from({ length: 24 }, (_, at): [string, number] => [`PF${at + 1}`, aids[`pf${at + 1}` as keyof typeof aids]]),
]);
