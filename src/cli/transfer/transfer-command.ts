import { Command } from 'commander';
import { type ExitCode, exitCodes, type Finish } from '../../lib/exit-codes.js';
import { asSentence } from '../../lib/text/messages.js';
import {
  checkReceivingFile,
  isFileThere,
  readTransferredFile,
  writeTransferredFile,
} from '../../s3270/program/transferred-file.js';
import type { Conversation } from '../../tn3270/conversation/conversation.js';
import type { FileTransferEnd } from '../../tn3270/conversation/file-transfer.js';
import { hostEndWords } from '../../tn3270/conversation/host-end-words.js';
import type { TransferOptions } from '../../tn3270/file-transfer/transfer-options.js';
import type { HostAddress } from '../../tn3270/host/host-connection.js';
import type { Stroke } from '../../tn3270/screen/operation.js';
import { readDriveSettings, settingsConversation, stopConversation } from '../drive/drive-settings.js';
import { diskWords } from '../output.js';
import { transferFault, transferOptions, type WrittenOptions, withTransferOptions } from './written-options.js';

const MOST_BYTES = 256 * 1024 * 1024;
const SETTLE_MILLISECONDS = 30_000;
/** Time for the host to cancel a running transfer after Ctrl+C. */
const CANCEL_MILLISECONDS = 1_000;
const FIRST_WITH_SPEED = 100_000;

interface Errand {
  readonly address: HostAddress;
  readonly direction: TransferOptions['direction'];
  readonly localFile: string;
  readonly hostFile: string;
}

export function transferCommand(finish: Finish): Command {
  const command = new Command('transfer');
  command.addCommand(
    withTransferOptions(new Command('send').description('send a file to the host'), true)
      .argument('<address>', 'host:port of the TN3270E host')
      .argument('<file>', 'local file')
      .argument('<host-file>', 'name of the file on the host')
      .action((address: string, localFile: string, hostFile: string, options: WrittenOptions, own: Command) =>
        run({ direction: 'send', localFile, hostFile }, address, options, own, finish),
      ),
  );
  command.addCommand(
    withTransferOptions(new Command('receive').description('receive a file from the host'), false)
      .argument('<address>', 'host:port of the TN3270E host')
      .argument('<host-file>', 'name of the file on the host')
      .argument('<file>', 'local file')
      .action((address: string, hostFile: string, localFile: string, options: WrittenOptions, own: Command) =>
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

For the options, see: sallyport transfer send --help, sallyport transfer receive --help
Exit codes: 0 transferred, 1 not transferred, 2 invalid usage. See docs/use/file-transfer.md.`,
  );
}

async function run(
  files: Omit<Errand, 'address'>,
  written: string,
  options: WrittenOptions,
  command: Command,
  finish: Finish,
): Promise<void> {
  const [, host, portText] = /^(?:\[([^\]]+)\]|[^\s:]+):(\d{1,5})$/.exec(written) ?? [];
  const port = Number(portText);
  if (portText === undefined || port < 1 || port > 65_535)
    return command.error(`error: expected host:port, found ${written}`);
  const settings = readDriveSettings(options.settings);
  if (settings.kind === 'fault') return command.error(`error: --settings: ${settings.fault}`);
  const fault = transferFault(options, files);
  if (fault !== undefined) return command.error(`error: ${fault}`);
  const errand = { ...files, address: { host: host ?? written.slice(0, -portText.length - 1), port } };
  let conversation: Conversation | undefined;
  const stop = new AbortController();
  let isUnderWay = false;
  let giveUp: NodeJS.Timeout | undefined;
  const cancel = () => {
    stop.abort();
    // the cancellation is sent with the host's next step, if there is one
    giveUp = setTimeout(() => conversation?.stop(), isUnderWay ? CANCEL_MILLISECONDS : 0);
  };
  try {
    const file = await named(errand.localFile, fileBefore(errand, options));
    process.once('SIGINT', cancel);
    conversation = settingsConversation(errand.address, settings.value, undefined, true);
    const underWay = () => {
      isUnderWay = true;
    };
    finish(await transfer(conversation, { ...errand, file, underWay }, options, stop.signal));
  } catch (error) {
    finish(failed((error as Error).message));
  } finally {
    process.off('SIGINT', cancel);
    clearTimeout(giveUp);
    if (conversation !== undefined) await stopConversation(conversation);
  }
}

async function fileBefore(
  { direction, localFile }: Errand,
  { append, replace }: WrittenOptions,
): Promise<Uint8Array | undefined> {
  if (direction === 'send') return readTransferredFile(localFile, MOST_BYTES);
  const mayBeThere = append === true || replace === true;
  if (!mayBeThere && (await isFileThere(localFile))) throw new Error('it already exists; use --replace or --append');
  await checkReceivingFile(localFile);
  return undefined;
}

async function transfer(
  conversation: Conversation,
  {
    direction,
    localFile,
    hostFile,
    file,
    underWay,
  }: Errand & { readonly file: Uint8Array | undefined; readonly underWay: () => void },
  options: WrittenOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const sends = direction === 'send';
  const trouble = await prepared(conversation, options.type, signal);
  if (trouble !== undefined) return failed(trouble);
  const began = performance.now();
  const tell = options.quiet === true ? undefined : progressOf(file?.length);
  const end = await conversation.transferFile({
    ...transferOptions(options),
    mostBytes: MOST_BYTES,
    direction,
    hostFile,
    file,
    signal,
    append: sends && options.append === true,
    progress: (bytes) => {
      underWay();
      tell?.(bytes);
    },
  });
  if (end.kind === 'failed') return failed(transferFailureText(conversation, end));
  if (!sends) {
    const how = options.append === true ? 'append' : 'replace';
    await named(localFile, writeTransferredFile(localFile, end.file ?? new Uint8Array(0), how));
  }
  const seconds = Math.max((performance.now() - began) / 1_000, 0.001);
  const speed = end.bytes < FIRST_WITH_SPEED ? '' : `, ${(end.bytes / seconds / 1e6).toFixed(2)} MB/s`;
  process.stdout.write(`${sends ? 'Sent' : 'Received'} ${end.bytes} bytes (${end.mode}${speed})\n`);
  return exitCodes.fine;
}

function named<T>(localFile: string, work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw new Error(`${localFile}: ${diskWords(error)}`);
  });
}

/** Types the way to the screen that accepts the command. @returns the error, if any */
async function prepared(
  conversation: Conversation,
  typed: readonly (readonly Stroke[])[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const settle = { withinMilliseconds: SETTLE_MILLISECONDS, signal };
  for (const strokes of [undefined, ...typed]) {
    const refusal = strokes === undefined ? undefined : conversation.act({ type: strokes });
    if (refusal !== undefined) return 'the terminal rejected the text of --type; nothing was transferred';
    const end = await conversation.settled(settle);
    if (end === 'hostGone') return goneWords(conversation);
    if (end === 'aborted') return 'The transfer was cancelled.';
    if (end !== 'holds') return 'the host did not become ready in time; nothing was transferred';
  }
  return undefined;
}

function goneWords({ end }: Conversation): string {
  return end === undefined ? 'the host is gone' : hostEndWords(end);
}

function transferFailureText(conversation: Conversation, end: Extract<FileTransferEnd, { kind: 'failed' }>): string {
  return end.reason === 'hostGone' ? `${end.words} ${asSentence(goneWords(conversation))}` : end.words;
}

function progressOf(total: number | undefined): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    // one line per tenth, or per mebibyte if the size is unknown
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
