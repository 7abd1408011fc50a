/** N of scrypt for users of tests: hundreds of hashes that cost what an attacker must pay would take minutes. */
export const CHEAP_PASSWORDS = 2;
