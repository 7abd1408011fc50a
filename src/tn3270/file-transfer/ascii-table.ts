/** Codes 0x40 to 0xFE of the host in the table that IND$FILE has for ASCII, as s3270 4.1 sends them. The table is one to one. */
const FIRST_CODE = 0x40;
const asciiOfCodes =
  '20a0a1a2a3a4a5a6a7a85b2e3c282b5d26a9aaabacadaeafb0b121242a293b5e2d2fb2b3b4b5b6b7b8b97c2c255f3e3fbabbbcbdbebfc0c1c2603a2340273d22' +
  'c3616263646566676869c4c5c6c7c8c9ca6a6b6c6d6e6f707172cbcccdcecfd0d17e737475767778797ad2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7' +
  '7b414243444546474849e8e9eaebeced7d4a4b4c4d4e4f505152eeeff0f1f2f35c9f535455565758595af4f5f6f7f8f930313233343536373839fafbfcfdfe';

/** By code of the host; 0: the table of ASCII has no such graphic character. */
export const asciiOfCode = new Uint8Array(256);
/** By byte of ASCII; 0: a control character, which is the same byte on both sides. */
export const codeOfAscii = new Uint8Array(256);

for (let at = 0; at < asciiOfCodes.length / 2; at++) {
  const byte = Number.parseInt(asciiOfCodes.slice(2 * at, 2 * at + 2), 16);
  asciiOfCode[FIRST_CODE + at] = byte;
  codeOfAscii[byte] = FIRST_CODE + at;
}
