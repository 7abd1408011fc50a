/** Numbers of function keys in `ESC [ number ~`, from the fifth on; the first four send `ESC O P` to `ESC O S` (VT220). */
const FUNCTION_KEYS = [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34] as const;
const FIRST_LETTER = 'P'.charCodeAt(0);

const cursorLetters: Readonly<Record<string, string>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  End: 'F',
  Home: 'H',
};

const others: Readonly<Record<string, string>> = {
  Enter: '\r',
  Newline: '\n',
  Tab: '\t',
  Erase: '\b',
  BackSpace: '\b',
  Delete: '\x7f',
  DeleteField: '\x15',
  DeleteWord: '\x17',
  Clear: '\x1b[2K',
};

/**
 * What a key sends to a line terminal's host; undefined where it means nothing there.
 * @param isApplication cursor keys are the application's (DECCKM)
 */
export function lineKeySequence(key: string, isApplication: boolean): string | undefined {
  const letter = cursorLetters[key];
  if (letter !== undefined) return `\x1b${isApplication ? 'O' : '['}${letter}`;
  const [, kind, digits] = /^P([AF])(\d+)$/.exec(key) ?? [];
  if (kind === undefined) return others[key];
  const number = Number(digits);
  if (kind === 'A' || number <= 4) return `\x1bO${String.fromCharCode(FIRST_LETTER + number - 1)}`;
  const code = FUNCTION_KEYS[number - 5];
  return code === undefined ? undefined : `\x1b[${code}~`;
}
