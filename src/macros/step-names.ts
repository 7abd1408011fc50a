import { keyNames } from '../tn3270/keyboard/key-names.js';

/** Keys of macros, spelled as in the reference (5.1). */
export const stepNames: readonly string[] = keyNames.map(([, step]) => step);
