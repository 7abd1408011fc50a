/** Names of devices and of terminal types go over the line in ASCII (RFC 1091, RFC 2355). */
const LONGEST_NAME = 64;
const MOST_DIGITS = 15;

export function encodeName(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0) & 0x7f);
}

/** A name sent by the other side, safe for logs and pages: without blanks and controls, and truncated. */
export function decodeName(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, LONGEST_NAME).filter((byte) => byte > 0x20 && byte < 0x7f));
}

/** `=`, as often as the number has digits, in place of which a name has a number from 1 on. Past the greatest it stays there. */
export function numberedName(written: string, number: number): string {
  return written.replace(/=+/, ({ length }) =>
    String(Math.min(number, 10 ** Math.min(length, MOST_DIGITS) - 1)).padStart(length, '0'),
  );
}
