/** A key as keyboards here know it, and in macros, spelled as in the reference (5.1). */
type KeyNames = readonly [key: string, step: string];

const same = (key: string): KeyNames => [key, key];
const numbered = (letters: string, count: number) => Array.from({ length: count }, (_, at) => same(letters + (at + 1)));

/** Every key, once. The page has a table of its own (client/terminal/macros/model/step-keys): there is no room in it for this one. */
export const keyNames: readonly KeyNames[] = [
  ['Enter', 'ENTER'],
  ['Clear', 'CLEAR'],
  ['Attn', 'ATTN'],
  ...numbered('PA', 3),
  ...numbered('PF', 24),
  ['Insert', 'InsToogle'],
  ['Newline', 'NewLine'],
  ...['Home', 'Tab'].map(same),
  ['BackTab', 'Backtab'],
  ['BackSpace', 'Bksp'],
  ...['Left', 'Right', 'Down', 'Up'].map(same),
  ['FieldEnd', 'End'],
  ['EraseEOF', 'ErEof'],
  ['Delete', 'Del'],
  ...['Reset', 'FieldMark', 'Dup'].map(same),
  // these two are ours
  ['EraseInput', 'ErInput'],
  ['SysReq', 'SYSREQ'],
];
