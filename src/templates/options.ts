/** The options of SET-LOCAL-OPTIONS that are neither escapes nor AUTO-INCREMENT-VARIABLES: recorded, for the host session. */
export const hostOptions: ReadonlySet<string> = new Set([
  'BLANK-BINARY-ZEROES',
  'DO-NOT-IGNORE-BINARY-ZEROES',
  'ID',
  'MAXLENGTH',
  'MDT-IF-RECEIVED',
  'NO-ADD-TO-CHECKBOX',
  'NO-ADD-TO-LISTBOX',
  'ENCRYPT-PASSWORD-FIELDS',
  'TRACE-LINE',
  'TRACE-RELAY',
  'OPTION-DEFAULT-COMPATIBILITY',
]);

export const AUTO_INCREMENT = 'AUTO-INCREMENT-VARIABLES';
