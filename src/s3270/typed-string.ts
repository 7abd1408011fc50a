import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import type { CodePage } from '../tn3270/codepage/code-page.js';
import { formatControls } from '../tn3270/datastream/orders.js';

/** What `String` does one after the other; a fault is told, and the rest is typed all the same. */
export type TypedPiece =
  | { readonly text: string; readonly isCode?: boolean }
  | { readonly key: string }
  | { readonly fault: string };

/** Keys by the letter behind a backslash, in this case alone. */
const keys: Readonly<Record<string, string>> = {
  b: 'Left',
  f: 'Clear',
  n: 'Enter',
  r: 'Newline',
  t: 'Tab',
  T: 'BackTab',
};
/** Keys of the control characters that stand in the text themselves; others are not typed. */
const keysOfControls: Readonly<Record<string, string>> = {
  '\b': 'Left',
  '\f': 'Clear',
  '\n': 'Enter',
  '\r': 'Newline',
  '\t': 'Tab',
};
const faults: Readonly<Record<string, string>> = {
  a: 'Bell not supported',
  e: 'Missing hex digits after \\e',
  p: 'Unknown character after \\p',
  u: 'Missing hex digits after \\x',
  v: 'Vertical tab not supported',
  x: 'Missing hex digits after \\x',
};

/** Characters of one string; what is longer is no text that somebody types. */
const MOST_CHARACTERS = 100_000;
const escapes =
  /\\(?:p(?<kind>[af])(?<number>\d{0,2})|[xu](?<unit>[0-9a-fA-F]{1,4})|e(?<code>[0-9a-fA-F]{1,4})|(?<octal>[0-7]{1,3})|(?<letter>[\s\S]))/y;
/** Where a text ends within one. */
const begunEscape = /^\\(?<key>p[af])?[exup]?$/;

/**
 * Reads a text with escapes: `\n` Enter, `\t` Tab, `\pf3`, `\pa1`, `\x41` and `\u0041` characters by their code points, `\101`
 * by octal ones, `\ec1` an EBCDIC code, of more than two digits a double-byte one.
 */
export function readTypedString(written: string, codePage: CodePage): ReadOutcome<readonly TypedPiece[]> {
  if (written.length > MOST_CHARACTERS) return readFault(`a string has at most ${MOST_CHARACTERS} characters`);
  const pieces: TypedPiece[] = [];
  let text = '';
  const put = (piece: TypedPiece) => {
    if (text !== '') pieces.push({ text });
    text = '';
    pieces.push(piece);
  };
  for (let at = 0; at < written.length; ) {
    const character = written[at] as string;
    if (character !== '\\') {
      const key = keysOfControls[character];
      if (key === undefined) text += character;
      else put({ key });
      at++;
      continue;
    }
    const begun = begunEscape.exec(written.slice(at, at + 4));
    if (begun !== null) {
      if (begun.groups?.key === undefined) put({ fault: 'Missing data after \\' });
      break;
    }
    escapes.lastIndex = at;
    const { 0: whole = '', groups = {} } = escapes.exec(written) ?? {};
    at += whole.length;
    const { kind, number, unit, code, octal, letter = '' } = groups;
    if (kind !== undefined) put(numberedKey(kind, number ?? ''));
    else if (unit !== undefined) text += String.fromCodePoint(Number.parseInt(unit, 16));
    else if (octal !== undefined) text += String.fromCodePoint(Number.parseInt(octal, 8));
    else if (code !== undefined) put({ text: characterOf(Number.parseInt(code, 16), codePage), isCode: true });
    else {
      const key = keys[letter];
      const fault = faults[letter];
      if (key !== undefined) put({ key });
      else if (fault !== undefined) put({ fault });
      else text += letter;
    }
  }
  if (text !== '') pieces.push({ text });
  return readAs(pieces);
}

function numberedKey(kind: string, number: string): TypedPiece {
  if (number === '') return { fault: `Unknown character after \\p${kind}` };
  const name = `P${kind.toUpperCase()}`;
  const isKey = Number(number) >= 1 && Number(number) <= (kind === 'f' ? 24 : 3);
  return isKey ? { key: `${name}${Number(number)}` } : { fault: `Unknown ${name} key ${Number(number)}` };
}

/** A code above 255 is a pair of a double-byte character set. */
function characterOf(code: number, codePage: CodePage): string {
  const { shiftOut, shiftIn } = formatControls;
  if (code > 0xff && codePage.doubleByte === undefined) return '';
  return codePage.decode(code > 0xff ? Uint8Array.of(shiftOut, code >> 8, code & 0xff, shiftIn) : Uint8Array.of(code));
}
