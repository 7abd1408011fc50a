import { type ReadOutcome, readAs, readFault } from '../../../lib/read-outcome.js';

/** What is asked of IND$FILE. */
export interface TransferCommand {
  /** PUT: from the terminal. */
  readonly receives: boolean;
  /** As the library has it: in upper case, with the user's prefix where TSO adds it. */
  readonly file: string;
  readonly text: boolean;
  readonly lines: boolean;
  readonly append: boolean;
}

const INCORRECT_OPTION = 'TRANS18   Incorrect option specified: file transfer canceled';
const NO_NAME = 'TRANS17   Missing or incorrect data set name: file transfer canceled';
const LONGEST_NAME = 60;
const attribute =
  /^(?:RECFM\([FVU]\)|(?:LRECL|BLKSIZE|AVBLOCK)\(\d{1,5}\)|SPACE\(\d{1,6}(?:,\d{1,6})?\)|TRACKS|CYLINDERS)$/;
/** VM writes its attributes in two words. */
const attributeInTwo = /\b(RECFM|LRECL) ([FV]|\d{1,5})\b/g;

/**
 * Reads `IND$FILE PUT|GET file options`, options behind a parenthesis as VM and CICS have them, too.
 * @param user whose prefix TSO puts before a name without quotation marks
 * @returns undefined where it is another command; a fault in the words of IND$FILE
 */
export function readTransferCommand(typed: string, user: string | undefined): ReadOutcome<TransferCommand> | undefined {
  const [, direction, rest = ''] = /^\s*IND\$FILE(?:\s+(PUT|GET|RECEIVE|SEND)\b)?\s*(.*)$/i.exec(typed) ?? [];
  if (!/^\s*IND\$FILE\b/i.test(typed)) return undefined;
  if (direction === undefined) return readFault('TRANS06   Command incomplete: file transfer canceled');
  const [file, options] = nameAndOptions(rest.toUpperCase().trim(), user);
  if (file === undefined) return readFault(NO_NAME);
  const words = options
    .replace(attributeInTwo, '$1($2)')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== ')');
  const flags = new Set(words.filter((word) => !attribute.test(word)));
  for (const flag of flags) {
    if (!['ASCII', 'CRLF', 'APPEND', 'BINARY', 'NOCRLF', 'NEW'].includes(flag)) return readFault(INCORRECT_OPTION);
  }
  return readAs({
    receives: /^(?:PUT|RECEIVE)$/i.test(direction),
    file,
    text: flags.has('ASCII'),
    lines: flags.has('CRLF'),
    append: flags.has('APPEND'),
  });
}

function nameAndOptions(text: string, user: string | undefined): [file: string | undefined, options: string] {
  const quoted = /^'([^']{1,60})'(.*)$/.exec(text);
  if (quoted !== null) return [quoted[1], (quoted[2] ?? '').replace('(', ' ')];
  // VM: name, type and mode before a blank and the parenthesis
  const behind = text.indexOf(' (');
  if (behind >= 0) return [usable(text.slice(0, behind).trim()), text.slice(behind + 2)];
  const [name = '', ...words] = text.split(/\s+/);
  const prefixed = user === undefined || !name.includes('.') ? name : `${user}.${name}`;
  return [usable(prefixed), words.join(' ')];
}

function usable(name: string): string | undefined {
  return name !== '' && name.length <= LONGEST_NAME && /^[\w@#$+:.()\- ]+$/.test(name) ? name : undefined;
}
