/** What stands in texts for the right half of a double-byte character: DEL is one byte in JSON, and no screen has it. */
export const RIGHT_HALF_SIGN = '\u007f';
/** What stands in texts for a null that shows as a blank, in an input field with text behind it. */
export const NULL_SIGN = '\u0000';
