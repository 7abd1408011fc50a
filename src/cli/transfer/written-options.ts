import { type Command, InvalidArgumentError, Option } from 'commander';
import { readStrokes } from '../../tn3270/conversation/act.js';
import type { FileTransfer } from '../../tn3270/conversation/file-transfer.js';
import {
  attributeRules,
  type BrokenRule,
  brokenRule,
  type FileAttribute,
  LEAST_BUFFER_BYTES,
  MOST_BUFFER_BYTES,
  MOST_RECORD_LENGTH,
  MOST_SPACE,
  recordFormats,
  spaceUnits,
  type TransferOptions,
  transferCommand,
  transferHosts,
} from '../../tn3270/file-transfer/transfer-options.js';
import type { Stroke } from '../../tn3270/screen/operation.js';
import { numberFrom } from '../options.js';

const MOST_SECONDS = 86_400;

export interface WrittenOptions {
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

export function withTransferOptions(command: Command, sends: boolean): Command {
  const length = numberFrom(1, MOST_RECORD_LENGTH);
  const space = numberFrom(1, MOST_SPACE);
  command
    .addOption(
      new Option('-t, --type <text>', 'text to type before the transfer, keys in brackets: TSO[Enter]; may be repeated')
        .argParser(typedText)
        .default([], 'nothing'),
    )
    .addOption(
      new Option('--type-env <name>', 'type the value of this environment variable, as a password').argParser(
        (name: string) => {
          // collected with --type, to keep the order of the command line
          const text = process.env[name];
          if (text === undefined) throw new InvalidArgumentError(`there is no environment variable ${name}.`);
          command.setOptionValue('type', [...(command.getOptionValue('type') as readonly unknown[]), [{ text }]]);
          return name;
        },
      ),
    )
    .option('--settings <json>', 'settings of the session, as for sallyport drive: model, codepage, lu, tls …', '{}')
    .addOption(
      new Option('--host <kind>', 'system that runs the command on the host').choices(transferHosts).default('tso'),
    )
    .option(
      '-b, --binary',
      'transfer bytes unchanged (default: text, in the code page of the host there and in UTF-8 here)',
    )
    .option('--no-lines', 'do not convert between lines of text and records of the host (no CRLF)')
    .option('--no-remap', 'only IND$FILE translates text')
    .option('--other-options <text>', 'more options of IND$FILE, typed unchanged after the others')
    .addOption(
      new Option('--buffer-size <bytes>', 'maximum size of a record to the host').argParser(
        numberFrom(LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES),
      ),
    )
    .addOption(
      new Option(
        '--seconds <number>',
        'time limit for the host to begin, and for each of its steps (default: 30 and 60)',
      ).argParser(numberFrom(1, MOST_SECONDS)),
    )
    .option('-q, --quiet', 'show no progress')
    .option('--append', sends ? 'append to the file on the host' : 'append to the local file');
  if (!sends) return command.option('--replace', 'overwrite an existing local file');
  return command
    .addOption(new Option('--recfm <format>', 'record format').choices(recordFormats))
    .addOption(new Option('--lrecl <bytes>', 'record length').argParser(length))
    .addOption(new Option('--blksize <bytes>', 'block size (TSO)').argParser(length))
    .addOption(new Option('--primary-space <number>', 'space of a new data set (TSO)').argParser(space))
    .addOption(new Option('--secondary-space <number>', 'space for each extension (TSO)').argParser(space))
    .addOption(new Option('--space-unit <unit>', 'unit of space (default: blocks)').choices(spaceUnits))
    .addOption(new Option('--avblock <bytes>', 'size of an average block').argParser(length));
}

function typedText(text: string, before: readonly (readonly Stroke[])[]): readonly (readonly Stroke[])[] {
  const strokes = readStrokes(text);
  if (strokes.kind === 'fault') throw new InvalidArgumentError(`${strokes.fault}.`);
  return [...before, strokes.value];
}

const flags: Readonly<Record<FileAttribute, string>> = {
  recordFormat: '--recfm',
  recordLength: '--lrecl',
  blockSize: '--blksize',
  primarySpace: '--primary-space',
  secondarySpace: '--secondary-space',
  spaceUnit: '--space-unit',
  averageBlock: '--avblock',
};

function ruleWords(broken: BrokenRule): string {
  switch (broken.kind) {
    case 'isReceived':
      return `${flags[broken.attribute]} applies only to sent files`;
    case 'otherHost': {
      const hosts = attributeRules[broken.attribute].hosts.map((host) => host.toUpperCase());
      return `${flags[broken.attribute]} is for ${hosts.join(' and ')}`;
    }
    case 'undefinedOnVm':
      return '--recfm undefined is for TSO: VM has fixed and variable records';
    case 'needs':
      return `${flags[broken.attribute]} needs ${flags[broken.needed]}`;
    case 'needsAverageBlock':
      return '--space-unit avblock needs --avblock';
    case 'needsAverageBlockUnit':
      return '--avblock needs --space-unit avblock';
  }
}

export function transferFault(
  written: WrittenOptions,
  files: Pick<TransferOptions, 'direction' | 'hostFile'>,
): string | undefined {
  if (written.append === true && written.replace === true) return '--append and --replace exclude each other';
  const { direction } = files;
  const { recfm: recordFormat, lrecl: recordLength, blksize: blockSize, avblock: averageBlock, ...others } = written;
  const broken = brokenRule({ ...others, direction, recordFormat, recordLength, blockSize, averageBlock });
  if (broken !== undefined) return ruleWords(broken);
  const command = transferCommand({ ...transferOptions(written), ...files });
  return command.kind === 'fault' ? command.fault : undefined;
}

export function transferOptions(written: WrittenOptions) {
  const { host, binary, lines, remap, recfm, lrecl, blksize, bufferSize, otherOptions, seconds } = written;
  const milliseconds = seconds === undefined ? undefined : seconds * 1_000;
  const { primarySpace, secondarySpace, spaceUnit, avblock } = written;
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
    beginMilliseconds: milliseconds,
    stepMilliseconds: milliseconds,
  };
}
