/** The keys of macros, spelled as in the reference (5.1). */
export const stepNames: readonly string[] = [
  ...['ENTER', 'CLEAR', 'ATTN', 'PA1', 'PA2', 'PA3', ...Array.from({ length: 24 }, (_, index) => `PF${index + 1}`)],
  ...['InsToogle', 'NewLine', 'Home', 'Tab', 'Backtab', 'Bksp', 'Left', 'Right', 'Down', 'Up', 'End'],
  ...['ErEof', 'Del', 'Reset', 'FieldMark', 'Dup'],
  // these two are ours
  ...['ErInput', 'SYSREQ'],
];
