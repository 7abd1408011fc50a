import { type ReadOutcome, readAs, readFault } from '../../../lib/read-outcome.js';
import type { HostServices, Terminal } from '../application.js';
import { libraryLimits } from './file-library.js';
import { CutHost, DftHost, TransferError, type TransferTerminal } from './host-transfer.js';

const COMPLETE = 'TRANS03   File transfer complete';
const REFUSED = 'TRANS36   File access is denied: file transfer canceled';
const NO_FILE = 'TRANS14   Missing or incorrect data set: file transfer canceled';
const SLOW_MILLISECONDS = 1_000;

/** @returns the final message */
export async function transferFile(
  terminal: Terminal,
  host: HostServices,
  command: TransferCommand,
  encode: (text: string) => Uint8Array,
): Promise<string> {
  const context = faulty(terminal, host);
  const side = terminal.transferBytes === 0 ? new CutHost(context, encode) : new DftHost(context);
  const words = await transfer(side, host, command).catch((error: unknown) => {
    if (error instanceof TransferError) return error.message;
    throw error;
  });
  await side.finish(words).catch((error: unknown) => {
    if (!(error instanceof TransferError)) throw error;
  });
  return words;
}

async function transfer(side: CutHost | DftHost, host: HostServices, command: TransferCommand): Promise<string> {
  const { receives, file, append } = command;
  if (host.faults.has('no-file')) throw new TransferError(REFUSED);
  if (receives) {
    const sent = await side.receive(libraryLimits.bytesOfFile);
    return host.files.write(file, sent, command, append) ?? COMPLETE;
  }
  const found = host.files.read(file, command);
  if (found === undefined) throw new TransferError(NO_FILE);
  await side.send(found);
  return COMPLETE;
}

function faulty(terminal: Terminal, { faults }: HostServices): TransferTerminal {
  let buffers = 0;
  return {
    transferBytes: terminal.transferBytes,
    exchange: (record) => terminal.exchange(record),
    betweenBuffers: async () => {
      if (faults.has('slow-file')) await terminal.pause(SLOW_MILLISECONDS);
      if (++buffers !== 2) return false;
      if (faults.has('cut-file')) faults.add('disconnect');
      return faults.has('bad-file');
    },
  };
}

interface TransferCommand {
  /** PUT: the host receives the file. */
  readonly receives: boolean;
  /** Library name: upper case, with the user's prefix if TSO adds one. */
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
/** VM separates names and values of attributes by a blank. */
const attributeInTwo = /\b(RECFM|LRECL) ([FV]|\d{1,5})\b/g;

/**
 * Parses `IND$FILE PUT|GET file options`. Options may also follow a parenthesis, as on VM and CICS.
 * @param user TSO adds this prefix to names without quotation marks
 * @returns undefined for other commands; faults are messages of IND$FILE
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
  // VM: name, type and mode, then a blank and the parenthesis
  const behind = text.indexOf(' (');
  if (behind >= 0) return [usable(text.slice(0, behind).trim()), text.slice(behind + 2)];
  const [name = '', ...words] = text.split(/\s+/);
  const prefixed = user === undefined || !name.includes('.') ? name : `${user}.${name}`;
  return [usable(prefixed), words.join(' ')];
}

function usable(name: string): string | undefined {
  return name !== '' && name.length <= LONGEST_NAME && /^[\w@#$+:.()\- ]+$/.test(name) ? name : undefined;
}
