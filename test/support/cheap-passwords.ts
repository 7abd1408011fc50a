/** scrypt cost N for users of tests: with the real cost, hundreds of hashes would take minutes. */
export const CHEAP_PASSWORDS = 2;
