import { Command, InvalidArgumentError, Option } from 'commander';
import type { Conversation } from '../../conversation/conversation.js';
import type { FileTransfer, FileTransferEnd } from '../../conversation/file-transfer.js';
import { hostEndWords } from '../../conversation/host-end-words.js';
import { readStrokes } from '../../conversation/typed-text.js';
import {
  recordFormats,
  spaceUnits,
  type TransferOptions,
  transferHosts,
} from '../../file-transfer/transfer-options.js';
import type { HostAddress } from '../../host/host-connection.js';
import type { Stroke } from '../../screen/operation.js';
import { readDriveSettings } from '../drive/drive-settings.js';
import { settingsConversation, stopConversation } from '../drive/driven-conversation.js';
import { type ExitCode, exitCodes, type Finish } from '../exit-codes.js';
import { isFileThere, readTransferredFile, writeTransferredFile } from './transferred-file.js';

const MOST_BYTES = 256 * 1024 * 1024;
const SETTLE_MILLISECONDS = 30_000;
const FIRST_WITH_SPEED = 100_000;

interface TransferCommandOptions {
  readonly type: readonly (readonly Stroke[])[];
  readonly settings: string;
  readonly host: FileTransfer['host'];
  readonly binary?: true;
  readonly lines: boolean;
  readonly remap: boolean;
  readonly append?: true;
  readonly replace?: true;
  readonly recfm?: FileTransfer['recordFormat'];
  readonly lrecl?: number;
  readonly blksize?: number;
  readonly primarySpace?: number;
  readonly secondarySpace?: number;
  readonly spaceUnit?: (typeof spaceUnits)[number];
  readonly avblock?: number;
  readonly bufferSize?: number;
  readonly otherOptions?: string;
  readonly seconds?: number;
  readonly quiet?: true;
}

/** What to do, and where. */
interface Errand {
  readonly address: HostAddress;
  readonly direction: TransferOptions['direction'];
  readonly localFile: string;
  readonly hostFile: string;
}

/** `sallyport transfer send|receive`: one file between this machine and a host, with IND$FILE. */
export function transferCommand(finish: Finish): Command {
  const command = new Command('transfer');
  command.addCommand(
    withOptions(new Command('send').description('send a file to the host'), true)
      .argument('<address>', 'host:port of the TN3270E host')
      .argument('<file>', 'the file here')
      .argument('<host-file>', 'its name on the host')
      .action((address: string, localFile: string, hostFile: string, options: TransferCommandOptions, own: Command) =>
        run({ direction: 'send', localFile, hostFile }, address, options, own, finish),
      ),
  );
  command.addCommand(
    withOptions(new Command('receive').description('receive a file from the host'), false)
      .argument('<address>', 'host:port of the TN3270E host')
      .argument('<host-file>', 'its name on the host')
      .argument('<file>', 'the file here')
      .action((address: string, hostFile: string, localFile: string, options: TransferCommandOptions, own: Command) =>
        run({ direction: 'receive', localFile, hostFile }, address, options, own, finish),
      ),
  );
  return command.addHelpText(
    'after',
    `
Examples:
  export DEMO_PASSWORD=demo
  sallyport transfer send 127.0.0.1:41023 report.txt REPORT.TEXT \\
    --type 'DEMO[Tab]' --type-env DEMO_PASSWORD --type '[Enter]' --type 'T[Enter]'
  sallyport transfer receive 127.0.0.1:41023 REPORT.TEXT copy.txt …

The options stand in: sallyport transfer send --help, sallyport transfer receive --help
Exit codes: 0 the file is there; 1 it is not; 2 usage wrong. docs/file-transfer.md says more.`,
  );
}

function withOptions(command: Command, sends: boolean): Command {
  const numberOf = (text: string) => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a number of at least 1.');
    return Number(text);
  };
  command
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError('(sallyport help transfer explains it)')
    .addOption(
      new Option('-t, --type <text>', 'typed before the transfer, keys in brackets: TSO[Enter]; may be repeated')
        .argParser(typedText)
        .default([], 'nothing'),
    )
    .addOption(
      new Option('--type-env <name>', 'types what this environment variable holds, as a password').argParser(
        (name: string) => {
          // collected with --type, in the order in which they stand
          const text = process.env[name];
          if (text === undefined) throw new InvalidArgumentError(`there is no environment variable ${name}.`);
          command.setOptionValue('type', [...(command.getOptionValue('type') as readonly unknown[]), [{ text }]]);
          return name;
        },
      ),
    )
    .option('--settings <json>', 'of the session, as sallyport drive has them: model, codepage, lu, tls …', '{}')
    .addOption(new Option('--host <kind>', 'what the command is typed for').choices(transferHosts).default('tso'))
    .option('-b, --binary', 'bytes as they are; else text of the host’s code page, UTF-8 here')
    .option('--no-lines', 'lines of text are no records of the host (no CRLF)')
    .option('--no-remap', 'IND$FILE alone translates text')
    .option('--other-options <text>', 'typed behind the others, as it is')
    .addOption(new Option('--buffer-size <bytes>', 'of a record to the host').argParser(numberOf))
    .addOption(new Option('--seconds <number>', 'for the host to begin, and for each of its steps').argParser(numberOf))
    .option('-q, --quiet', 'tell no progress')
    .option('--append', sends ? 'to the end of the host’s file' : 'to the end of the file here');
  if (!sends) return command.option('--replace', 'where there is such a file here');
  return command
    .addOption(new Option('--recfm <format>', 'record format').choices(recordFormats))
    .addOption(new Option('--lrecl <bytes>', 'record length').argParser(numberOf))
    .addOption(new Option('--blksize <bytes>', 'block size (TSO)').argParser(numberOf))
    .addOption(new Option('--primary-space <number>', 'space of a new data set (TSO)').argParser(numberOf))
    .addOption(new Option('--secondary-space <number>', 'what it grows by (TSO)').argParser(numberOf))
    .addOption(new Option('--space-unit <unit>', 'what space is counted in; else blocks').choices(spaceUnits))
    .addOption(new Option('--avblock <bytes>', 'bytes of an average block').argParser(numberOf));
}

function typedText(text: string, before: readonly (readonly Stroke[])[]): readonly (readonly Stroke[])[] {
  const strokes = readStrokes(text);
  if (strokes.kind === 'fault') throw new InvalidArgumentError(`${strokes.fault}.`);
  return [...before, strokes.value];
}

async function run(
  files: Omit<Errand, 'address'>,
  written: string,
  options: TransferCommandOptions,
  command: Command,
  finish: Finish,
): Promise<void> {
  const [, host, portText] = /^(?:\[([^\]]+)\]|[^\s:]+):(\d{1,5})$/.exec(written) ?? [];
  const port = Number(portText);
  if (portText === undefined || port < 1 || port > 65_535)
    return command.error(`error: expected host:port, found ${written}`);
  const settings = readDriveSettings(options.settings);
  if (settings.kind === 'fault') return command.error(`error: --settings: ${settings.fault}`);
  const errand = { ...files, address: { host: host ?? written.slice(0, -portText.length - 1), port } };
  const conversation = settingsConversation(errand.address, settings.value);
  const stop = new AbortController();
  const cancel = () => stop.abort();
  process.once('SIGINT', cancel);
  try {
    finish(await transfer(conversation, errand, options, stop.signal));
  } catch (error) {
    finish(failed((error as Error).message));
  } finally {
    process.off('SIGINT', cancel);
    await stopConversation(conversation);
  }
}

async function transfer(
  conversation: Conversation,
  { direction, localFile, hostFile }: Errand,
  options: TransferCommandOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const sends = direction === 'send';
  const mayBeThere = options.append === true || options.replace === true;
  if (!sends && !mayBeThere && (await isFileThere(localFile))) {
    return failed(`${localFile}: it is there already; --replace or --append`);
  }
  const file = sends ? await readTransferredFile(localFile, MOST_BYTES) : undefined;
  const trouble = await prepared(conversation, options.type, signal);
  if (trouble !== undefined) return failed(trouble);
  const began = performance.now();
  const end = await conversation.transferFile({
    ...optionsOf(options),
    direction,
    hostFile,
    file,
    signal,
    append: sends && options.append === true,
    progress: options.quiet === true ? undefined : progressOf(file?.length),
  });
  if (end.kind === 'failed') return failed(wordsOf(conversation, end));
  if (!sends)
    await writeTransferredFile(
      localFile,
      end.file ?? new Uint8Array(0),
      options.append === true ? 'append' : 'replace',
    );
  const seconds = Math.max((performance.now() - began) / 1_000, 0.001);
  // of a small file the command took the time, and not the bytes
  const speed = end.bytes < FIRST_WITH_SPEED ? '' : `, ${(end.bytes / seconds / 1e6).toFixed(2)} MB/s`;
  process.stdout.write(`${sends ? 'Sent' : 'Received'} ${end.bytes} bytes (${end.mode}${speed})\n`);
  return exitCodes.fine;
}

function optionsOf(options: TransferCommandOptions) {
  const { host, binary, lines, remap, recfm, lrecl, blksize, bufferSize, otherOptions, seconds } = options;
  const milliseconds = seconds === undefined ? undefined : seconds * 1_000;
  const { primarySpace, secondarySpace, spaceUnit, avblock } = options;
  return {
    host,
    text: binary !== true,
    lines: binary !== true && lines,
    remap,
    recordFormat: recfm,
    recordLength: lrecl,
    blockSize: blksize,
    space:
      primarySpace === undefined
        ? undefined
        : { unit: spaceUnit, primary: primarySpace, secondary: secondarySpace, averageBlock: avblock },
    bufferBytes: bufferSize,
    otherOptions,
    mostBytes: MOST_BYTES,
    beginMilliseconds: milliseconds,
    stepMilliseconds: milliseconds,
  };
}

/** Types what leads to where the command is taken. @returns what went wrong */
async function prepared(
  conversation: Conversation,
  typed: readonly (readonly Stroke[])[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const settle = { withinMilliseconds: SETTLE_MILLISECONDS, signal };
  for (const strokes of [undefined, ...typed]) {
    const refusal = strokes === undefined ? undefined : conversation.act({ type: strokes });
    if (refusal !== undefined) return 'the terminal does not take what --type says; nothing was transferred';
    const end = await conversation.settled(settle);
    if (end === 'hostGone') return goneWords(conversation);
    if (end !== 'holds') return 'the host did not become ready in time; nothing was transferred';
  }
  return undefined;
}

function goneWords({ end }: Conversation): string {
  return end === undefined ? 'the host is gone' : hostEndWords(end);
}

function wordsOf(conversation: Conversation, end: Extract<FileTransferEnd, { kind: 'failed' }>): string {
  return end.reason === 'hostGone' ? `${end.words}: ${goneWords(conversation)}` : end.words;
}

function progressOf(total: number | undefined): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    // a line for a tenth of what is known, or for a mebibyte
    const step = total === undefined ? 1 << 20 : Math.max(total / 10, 1);
    if (bytes - told < step && bytes !== total) return;
    told = bytes;
    process.stderr.write(total === undefined ? `${bytes} bytes\n` : `${bytes} of ${total} bytes\n`);
  };
}

function failed(words: string): ExitCode {
  process.stderr.write(`Error: ${words}\n`);
  return exitCodes.workFailed;
}
