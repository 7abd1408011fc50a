import type { CodePage } from '../codepage/code-page.js';
import { formatControls } from '../datastream/orders.js';
import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';

/** What `String` does one after the other. */
export type TypedPiece = { readonly text: string } | { readonly key: string };

const keys: Readonly<Record<string, string>> = {
  b: 'Left',
  f: 'Clear',
  n: 'Enter',
  r: 'Newline',
  t: 'Tab',
  T: 'BackTab',
};

/** Characters of one string; what is longer is no text that somebody types. */
const MOST_CHARACTERS = 100_000;

/**
 * Reads a text with escapes: `\n` Enter, `\t` Tab, `\pf3`, `\pa1`, `\x41` and `\u0041` characters by their code points,
 * `\ec1` an EBCDIC code, of four digits a double-byte one.
 */
export function readTypedString(written: string, codePage: CodePage): ReadOutcome<readonly TypedPiece[]> {
  if (written.length > MOST_CHARACTERS) return readFault(`a string has at most ${MOST_CHARACTERS} characters`);
  const pieces: TypedPiece[] = [];
  let text = '';
  const press = (key: string) => {
    if (text !== '') pieces.push({ text });
    text = '';
    pieces.push({ key });
  };
  const escaped = /\\(?:p([af])(\d{1,2})|x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|e(?:0x)?([0-9a-f]{1,4})|([\s\S])|$)/iy;
  for (let at = 0; at < written.length; ) {
    if (written[at] !== '\\') {
      text += written[at++];
      continue;
    }
    escaped.lastIndex = at;
    const [whole = '\\', kind, number, byte, unit, code, letter] = escaped.exec(written) ?? [];
    at += whole.length;
    if (kind !== undefined) {
      const key = `P${kind.toUpperCase()}${Number(number)}`;
      if (Number(number) < 1 || Number(number) > (key.startsWith('PF') ? 24 : 3)) return readFault(`no key ${whole}`);
      press(key);
    } else if (byte !== undefined || unit !== undefined) {
      text += String.fromCodePoint(Number.parseInt(byte ?? unit ?? '', 16));
    } else if (code !== undefined) {
      text += characterOf(Number.parseInt(code, 16), codePage);
    } else {
      const key = letter === undefined ? undefined : (keys[letter] ?? keys[letter.toLowerCase()]);
      if (key === undefined) text += letter ?? '\\';
      else press(key);
    }
  }
  if (text !== '') pieces.push({ text });
  return readAs(pieces);
}

/** A code above 255 is a pair of a double-byte character set. */
function characterOf(code: number, codePage: CodePage): string {
  const { shiftOut, shiftIn } = formatControls;
  return codePage.decode(code > 0xff ? Uint8Array.of(shiftOut, code >> 8, code & 0xff, shiftIn) : Uint8Array.of(code));
}
