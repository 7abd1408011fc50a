/** What stands in texts for the right half of a double-byte character: DEL is one byte in JSON, and no screen has it. */
export const RIGHT_HALF_SIGN = '\u007f';
