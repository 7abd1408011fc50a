import { attentionKeys } from './attention-keys.js';

/** A key and what it is called. */
interface KeyNames {
  /** As keyboards here know it. */
  readonly key: string;
  /** In macros, spelled as in the reference (5.1). */
  readonly step: string;
  /** Further words for it in brackets, as in `[eof]`: those of HAScript and ECL. */
  readonly words?: readonly string[];
}

/** PA1 to PA3, PF1 to PF24. */
const numbered = [...attentionKeys].filter((key) => /\d$/.test(key));

/** Every key, once. */
export const keyNames: readonly KeyNames[] = [
  { key: 'Enter', step: 'ENTER' },
  { key: 'Clear', step: 'CLEAR' },
  { key: 'Attn', step: 'ATTN' },
  ...numbered.map((key) => ({ key, step: key })),
  // the typo is the reference's
  { key: 'Insert', step: 'InsToogle' },
  { key: 'Newline', step: 'NewLine' },
  { key: 'Home', step: 'Home' },
  { key: 'Tab', step: 'Tab' },
  { key: 'BackTab', step: 'Backtab' },
  { key: 'BackSpace', step: 'Bksp' },
  { key: 'Left', step: 'Left' },
  { key: 'Right', step: 'Right' },
  { key: 'Down', step: 'Down' },
  { key: 'Up', step: 'Up' },
  { key: 'FieldEnd', step: 'End', words: ['eof'] },
  { key: 'EraseEOF', step: 'ErEof' },
  { key: 'Delete', step: 'Del' },
  { key: 'Reset', step: 'Reset' },
  { key: 'FieldMark', step: 'FieldMark' },
  { key: 'Dup', step: 'Dup' },
  // these two are ours
  { key: 'EraseInput', step: 'ErInput', words: ['erinp'] },
  { key: 'SysReq', step: 'SYSREQ' },
];
