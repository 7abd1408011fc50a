import { attentionKeys } from './attention-keys.js';

const [, , ...numbered] = attentionKeys;

/** Every key, once: as keyboards here know it, and as macros spell it (reference 5.1). */
export const keyNames: readonly (readonly [key: string, step: string])[] = [
  ['Enter', 'ENTER'],
  ['Clear', 'CLEAR'],
  ['Attn', 'ATTN'],
  ...numbered.map((key) => [key, key] as const),
  // the typo is the reference's
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
  // these two are ours
  ['EraseInput', 'ErInput'],
  ['SysReq', 'SYSREQ'],
];
