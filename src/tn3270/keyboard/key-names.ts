import { attentionKeys } from './attention-keys.js';

const [, , ...numbered] = attentionKeys;

/** All keys, with their names in keyboard layouts and in macros (reference 5.1). */
export const keyNames: readonly (readonly [key: string, step: string])[] = [
  ['Enter', 'ENTER'],
  ['Clear', 'CLEAR'],
  ['Attn', 'ATTN'],
  ...numbered.map((key) => [key, key] as const),
  // spelled as in the reference
  ['Insert', 'InsToogle'],
  ['Newline', 'NewLine'],
  ['Home', 'Home'],
  ['Tab', 'Tab'],
  ['BackTab', 'Backtab'],
  ['BackSpace', 'Bksp'],
  ['Left', 'Left'],
  ['Right', 'Right'],
  ['Down', 'Down'],
  ['Up', 'Up'],
  ['FieldEnd', 'End'],
  ['EraseEOF', 'ErEof'],
  ['Delete', 'Del'],
  ['Reset', 'Reset'],
  ['FieldMark', 'FieldMark'],
  ['Dup', 'Dup'],
  // extensions of Sallyport
  ['EraseInput', 'ErInput'],
  ['SysReq', 'SYSREQ'],
];

/** Keys of macros, spelled as in the reference (5.1). */
export const stepNames: readonly string[] = keyNames.map(([, step]) => step);
